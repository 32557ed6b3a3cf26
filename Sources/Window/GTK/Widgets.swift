import CAdwaita

package class Box: Widget {
    override class var type: GType { gtk_box_get_type() }

    /// A vertical box.
    package convenience init() {
        self.init(owning: UnsafeMutableRawPointer(gtk_box_new(GTK_ORIENTATION_VERTICAL, 0)))
    }

    package func append(_ child: Widget) { gtk_box_append(c(), child.c()) }

    package func remove(_ child: Widget) { gtk_box_remove(c(), child.c()) }
}

package class Label: Widget {
    override class var type: GType { gtk_label_get_type() }

    package convenience init() { self.init(owning: UnsafeMutableRawPointer(gtk_label_new(nil))) }

    package var text: String {
        get { gtk_label_get_text(c()).map { String(cString: $0) } ?? "" }
        set { gtk_label_set_text(c(), newValue) }
    }

    /// Shows Pango's markup, with the element `a` for links.
    package func setMarkup(_ markup: String) { gtk_label_set_markup(c(), markup) }

    /// Puts the text to the edge where its own direction begins.
    ///
    /// - Parameter isRTL: Whether that is the right one; nil: that of the window.
    package func align(rightToLeft isRTL: Bool?) {
        gtk_label_set_xalign(c(), isRTL ?? isRightToLeft == isRightToLeft ? 0 : 1)
    }

    /// Calls `body` with the address of a link when it is pressed. GTK itself opens none.
    package func onLink(_ body: @escaping (String) -> Void) {
        onTextQuestion("activate-link") { address in
            body(address)
            return true
        }
    }
}

package class Image: Widget {
    override class var type: GType { gtk_image_get_type() }

    package func setIcon(_ name: String) { gtk_image_set_from_icon_name(c(), name) }
}

package class Button: Widget {
    override class var type: GType { gtk_button_get_type() }

    package func setLabel(_ text: String) { gtk_button_set_label(c(), text) }

    /// A button whose label ends with an ellipsis where it does not fit.
    package convenience init(shrinkingLabel text: String) {
        self.init(owning: UnsafeMutableRawPointer(gtk_button_new_with_label(text)))
        let label = gtk_button_get_child(c()).map { OpaquePointer($0) }
        gtk_label_set_ellipsize(label, PANGO_ELLIPSIZE_END)
        // GTK 4.12 and later set the above with each label.
        setIfKnown("can-shrink", true)
    }
}

package class ToggleButton: Button {
    override class var type: GType { gtk_toggle_button_get_type() }

    package convenience init() { self.init(owning: UnsafeMutableRawPointer(gtk_toggle_button_new())) }

    package var isActive: Bool {
        get { gtk_toggle_button_get_active(c()) != 0 }
        set { if isActive != newValue { gtk_toggle_button_set_active(c(), newValue ? 1 : 0) } }
    }
}

package class CheckButton: Widget {
    override class var type: GType { gtk_check_button_get_type() }

    package var isActive: Bool {
        get { gtk_check_button_get_active(c()) != 0 }
        set { if isActive != newValue { gtk_check_button_set_active(c(), newValue ? 1 : 0) } }
    }
}

package class MenuButton: Widget {
    override class var type: GType { gtk_menu_button_get_type() }

    private final class LazyMenu {
        var make: (() -> Menu)?

        init(_ make: @escaping () -> Menu) { self.make = make }
    }

    /// - Parameter make: Called when the menu is opened next. Its widgets take a time that a start is to save.
    package func setMenu(_ make: @escaping () -> Menu) {
        let open: GtkMenuButtonCreatePopupFunc = { button, menu in
            let button = UnsafeMutableRawPointer(button!)
            let menu = Unmanaged<LazyMenu>.fromOpaque(menu!).takeUnretainedValue()
            MainActor.assumeIsolated {
                guard let make = menu.make else { return }
                menu.make = nil
                MenuButton(sharing: button).show(make())
            }
        }
        let release: GDestroyNotify = { Unmanaged<LazyMenu>.fromOpaque($0!).release() }
        let menu = Unmanaged.passRetained(LazyMenu(make)).toOpaque()
        gtk_menu_button_set_create_popup_func(c(), open, menu, release)
    }

    private func show(_ menu: Menu) {
        gtk_menu_button_set_menu_model(c(), menu.c())
        if let popover = gtk_menu_button_get_popover(c()) {
            Widget(sharing: UnsafeMutableRawPointer(popover)).prepareMenu()
        }
    }

    package func setIcon(_ name: String) { gtk_menu_button_set_icon_name(c(), name) }

    /// Sets what a screen reader says of the button, of which a part has the focus.
    package func setSpokenLabel(_ text: String) {
        setAccessibleLabel(text)
        let button = first(Button.self)
        button?.setOnlyLabel(text)
        // GTK describes it by the label, too.
        button?.setOnlyDescription("")
    }
}

package class Revealer: Widget {
    override class var type: GType { gtk_revealer_get_type() }

    package var isRevealed: Bool {
        get { gtk_revealer_get_reveal_child(c()) != 0 }
        set { gtk_revealer_set_reveal_child(c(), newValue ? 1 : 0) }
    }
}

/// A spinner draws each frame while it spins, also where it is not shown.
package class Spinner: Widget {
    override class var type: GType { gtk_spinner_get_type() }

    package var isSpinning: Bool {
        get { gtk_spinner_get_spinning(c()) != 0 }
        set { gtk_spinner_set_spinning(c(), newValue ? 1 : 0) }
    }
}

/// A stack of pages, of which one is shown.
package class Stack: Widget {
    override class var type: GType { gtk_stack_get_type() }

    /// Shows one of the pages. The others are invisible for screen readers, too.
    package func show(_ page: String, of pages: [String]) {
        for name in [page] + pages.filter({ $0 != page }) {
            let child = child(name)
            gtk_widget_set_visible(child, name == page ? 1 : 0)
            if name == page { gtk_stack_set_visible_child(c(), child) }
        }
    }

    /// Sets what a screen reader says when the focus enters a page. GTK 4.8 has the name of a class for pages without.
    package func setAccessibleLabel(_ text: String, of page: String) {
        let page = gtk_stack_get_page(c(), child(page))
        Self.setAccessible(page, GTK_ACCESSIBLE_PROPERTY_LABEL, text)
    }

    private func child(_ name: String) -> UnsafeMutablePointer<GtkWidget> {
        guard let child = gtk_stack_get_child_by_name(c(), name) else { preconditionFailure("no page \(name)") }
        return child
    }
}

package class ScrolledWindow: Widget {
    override class var type: GType { gtk_scrolled_window_get_type() }

    /// Calls `body` when it is scrolled, or its content or size has changed.
    package func onScroll(_ body: @escaping () -> Void) {
        let adjustment = Object(sharing: UnsafeMutableRawPointer(gtk_scrolled_window_get_vadjustment(c())))
        adjustment.on("value-changed", body)
        adjustment.on("changed", body)
    }

    /// The heights above the visible part and below it, in pixels.
    package var hiddenParts: (above: Double, below: Double) {
        let adjustment = gtk_scrolled_window_get_vadjustment(c())
        let value = gtk_adjustment_get_value(adjustment)
        let end = gtk_adjustment_get_upper(adjustment) - gtk_adjustment_get_page_size(adjustment)
        return (value - gtk_adjustment_get_lower(adjustment), max(0, end - value))
    }
}

package class SearchBar: Widget {
    override class var type: GType { gtk_search_bar_get_type() }

    package var isOpen: Bool {
        get { gtk_search_bar_get_search_mode(c()) != 0 }
        set { gtk_search_bar_set_search_mode(c(), newValue ? 1 : 0) }
    }

    package func connect(_ entry: SearchEntry) { gtk_search_bar_connect_entry(c(), entry.c()) }
}

package class SearchEntry: Widget {
    override class var type: GType { gtk_search_entry_get_type() }

    package var text: String {
        get { gtk_editable_get_text(c()).map { String(cString: $0) } ?? "" }
        set { if text != newValue { gtk_editable_set_text(c(), newValue) } }
    }

    private var placeholder = ""

    /// Sets what the empty entry shows, and a screen reader says of it.
    package func setPlaceholder(_ text: String) {
        guard text != placeholder else { return }
        placeholder = text
        set("placeholder-text", text)
        setAccessibleLabel(text)
    }

    /// Calls `body` a moment after the text has changed.
    package func onSearch(_ body: @escaping (String) -> Void) {
        on("search-changed") { [unowned self] in body(text) }
    }
}

/// A page that says why there is nothing else.
package class StatusPage: Widget {
    override class var type: GType { adw_status_page_get_type() }

    /// - Parameter text: Plain text.
    package func set(icon: String, title: String, text: String) {
        adw_status_page_set_icon_name(c(), icon)
        // Both are markup.
        adw_status_page_set_title(c(), Markup.escaped(title))
        adw_status_page_set_description(c(), Markup.escaped(text))
    }
}

package class Avatar: Widget {
    override class var type: GType { adw_avatar_get_type() }

    /// Shows the initials of a text, in its color.
    package func setText(_ text: String) { adw_avatar_set_text(c(), text) }

    /// Shows a picture instead of the initials; nil: shows the initials.
    package func setPicture(_ picture: Texture?) { adw_avatar_set_custom_image(c(), picture?.c()) }
}

/// The pixels of a picture.
package final class Texture: Object {
    /// Reads a file; nil: it cannot be read, or is not a picture.
    ///
    /// - Parameter side: The maximum of its width and its height, to which it is scaled.
    package static func read(_ file: String, side: Int) -> Texture? {
        guard let pixels = gdk_pixbuf_new_from_file_at_size(file, Int32(side), Int32(side), nil) else { return nil }
        defer { g_object_unref(UnsafeMutableRawPointer(pixels)) }
        guard let texture = gdk_texture_new_for_pixbuf(pixels) else { return nil }
        return Texture(owning: UnsafeMutableRawPointer(texture))
    }
}

/// Pango's markup.
package enum Markup {
    /// The plain text as markup.
    package static func escaped(_ text: String) -> String {
        var escaped = ""
        for character in text {
            switch character {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&apos;"
            default: escaped.append(character)
            }
        }
        return escaped
    }
}
