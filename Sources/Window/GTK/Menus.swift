import CAdwaita

/// The model of a menu. Its items name actions, such as `win.read`.
package final class Menu: Object {
    override class var type: GType { g_menu_get_type() }

    package convenience init() { self.init(owning: UnsafeMutableRawPointer(g_menu_new())) }

    /// - Parameters:
    ///   - action: Its name, with that of its group.
    ///   - target: The argument; the item of the present state has a mark.
    package func append(_ label: String, action: String, target: String? = nil) {
        // An underscore would mark a key.
        let parts = label.split(separator: "_", omittingEmptySubsequences: false)
        let item = g_menu_item_new(parts.joined(separator: "__"), nil)
        g_menu_item_set_action_and_target_value(item, action, target.map { g_variant_new_string($0) })
        g_menu_append_item(c(), item)
        g_object_unref(item.map { UnsafeMutableRawPointer($0) })
    }

    package func append(section: Menu, label: String? = nil) { g_menu_append_section(c(), label, section.c()) }

    package func append(submenu: Menu, label: String) { g_menu_append_submenu(c(), label, submenu.c()) }
}

/// Named actions of a window, for menus and buttons.
package final class Actions {
    private let group = Object(owning: UnsafeMutableRawPointer(g_simple_action_group_new()))
    private var actions: [String: Object] = [:]

    /// - Parameters:
    ///   - prefix: The name of the group.
    package init(_ prefix: String, in widget: Widget) {
        gtk_widget_insert_action_group(widget.c(), prefix, group.c())
    }

    package func add(_ name: String, _ body: @escaping () -> Void) {
        add(name, Object(owning: UnsafeMutableRawPointer(g_simple_action_new(name, nil)))).on("activate", body)
    }

    /// An action with an argument, such as an item of several.
    package func add(_ name: String, _ body: @escaping (String) -> Void) {
        let type = g_variant_type_new("s")
        defer { g_variant_type_free(type) }
        add(name, Object(owning: UnsafeMutableRawPointer(g_simple_action_new(name, type))))
            .onObject("activate") { body(Self.text($0)) }
    }

    /// A choice: the item whose argument is the state has a mark.
    package func add(choice name: String, state: String, _ body: @escaping (String) -> Void) {
        let type = g_variant_type_new("s")
        defer { g_variant_type_free(type) }
        let action = g_simple_action_new_stateful(name, type, g_variant_new_string(state))
        add(name, Object(owning: UnsafeMutableRawPointer(action!))).onObject("activate") { body(Self.text($0)) }
    }

    /// A switch.
    package func add(toggle name: String, _ body: @escaping () -> Void) {
        let action = g_simple_action_new_stateful(name, nil, g_variant_new_boolean(0))
        add(name, Object(owning: UnsafeMutableRawPointer(action!))).on("activate", body)
    }

    package func enable(_ name: String, _ isEnabled: Bool) {
        if let action = actions[name] { g_simple_action_set_enabled(action.c(), isEnabled ? 1 : 0) }
    }

    package func set(_ name: String, state: String) {
        if let action = actions[name] { g_simple_action_set_state(action.c(), g_variant_new_string(state)) }
    }

    package func set(_ name: String, isOn: Bool) {
        if let action = actions[name] { g_simple_action_set_state(action.c(), g_variant_new_boolean(isOn ? 1 : 0)) }
    }

    private func add(_ name: String, _ action: Object) -> Object {
        actions[name] = action
        g_action_map_add_action(group.c(), action.c())
        return action
    }

    private static func text(_ variant: UnsafeMutableRawPointer) -> String {
        g_variant_get_string(OpaquePointer(variant), nil).map { String(cString: $0) } ?? ""
    }
}

/// A menu at a place of a widget.
package final class ContextMenu {
    private let popover: Object
    /// Called when it is closed.
    package var closed: () -> Void = {}

    /// - Parameter parent: The widget over which it is shown, which lives as long as the program.
    package init(over parent: Widget) {
        popover = Object(owning: UnsafeMutableRawPointer(gtk_popover_menu_new_from_model(nil)))
        gtk_widget_set_parent(popover.c(), parent.c())
        gtk_popover_set_has_arrow(popover.c(), 0)
        gtk_widget_set_halign(popover.c(), GTK_ALIGN_START)
        Widget(sharing: popover.pointer).prepareMenu()
        popover.on("closed") { [unowned self] in closed() }
    }

    package func show(_ menu: Menu, x: Double, y: Double) {
        gtk_popover_menu_set_menu_model(popover.c(), menu.c())
        var place = GdkRectangle(x: Int32(x), y: Int32(y), width: 1, height: 1)
        gtk_popover_set_pointing_to(popover.c(), &place)
        // GTK adds the lines between the sections when it is idle, and a popover does not grow for them.
        Later.whenIdle { [popover] in gtk_popover_popup(popover.c()) }
    }
}

extension Widget {
    /// Gives each page of a menu its own size, and each item a name for screen readers.
    func prepareMenu() {
        // A page is laid out when it opens, and would keep the larger size.
        makeSizesFixed()
        let place = pointer
        // Otherwise GTK 4.8 has the names of their classes.
        setAccessibleLabel("")
        on("map") {
            let menu = Widget(sharing: place)
            menu.silenceContainers()
            menu.nameItems()
        }
        onChange(of: "visible-submenu") {
            let menu = Widget(sharing: place)
            gtk_widget_queue_resize(menu.c())
            if menu.isMapped { gtk_popover_present(menu.c()) }
        }
    }

    /// With GTK 4.18, the text of an item is not its name.
    private func nameItems() {
        if String(cString: gtk_widget_get_css_name(c())) == "modelbutton", let label = first(Label.self) {
            setOnlyLabel(label.text)
        } else {
            for child in children { child.nameItems() }
        }
    }

    private func makeSizesFixed() {
        if isA(Stack.type) { gtk_stack_set_interpolate_size(c(), 0) }
        for child in children { child.makeSizesFixed() }
    }
}
