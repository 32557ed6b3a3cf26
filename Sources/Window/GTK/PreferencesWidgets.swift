import CAdwaita

/// A window with pages of rows, and short messages.
package final class PreferencesWindow: Window {
    override class var type: GType { adw_preferences_window_get_type() }

    /// Whether the first frame is waited for.
    private var isPresenting = false
    private var presented: (() -> Void)?

    package convenience init() {
        // GTK owns the windows.
        self.init(sharing: UnsafeMutableRawPointer(adw_preferences_window_new()))
        adw_preferences_window_set_search_enabled(c(), 1)
        silenceContainers()
        // libadwaita 1.2 names neither for screen readers.
        let search = first(ToggleButton.self)
        guard let label = search.flatMap({ gtk_widget_get_tooltip_text($0.c()) }) else { return }
        for control in [search, first(SearchEntry.self)] { control?.setOnlyLabel(String(cString: label)) }
        // It is the label.
        search?.setAccessibleDescription("")
    }

    package func add(_ page: RowPage) { adw_preferences_window_add(c(), page.c()) }

    /// Shows it, with the focus on the tab of the page in front.
    override package func present() {
        guard !isVisible, let content = children.first else { return super.present() }
        // The tabs are laid out with the first frame. Until then, the focus would be on one that is replaced.
        content.takesFocus = false
        gtk_window_set_focus(c(), nil)
        // Otherwise Tab goes on below the page that had the focus when the window was closed.
        if let page = adw_preferences_window_get_visible_page(c()) {
            let pages = Widget(sharing: UnsafeMutableRawPointer(page)).parent
            pages.map { gtk_widget_set_focus_child($0.c(), nil) }
        }
        first(of: adw_view_switcher_title_get_type())?.silenceContainers()
        let bar = first(of: adw_view_switcher_bar_get_type())
        bar?.silenceContainers()
        bar?.wrapLabels()
        isPresenting = true
        super.present()
        focusTab(of: content, frames: 30)
    }

    /// Gives the focus to the tab in front, once it is the same one for some frames: if the header has no place for the
    /// tabs, others are revealed in a bar at the bottom.
    private func focusTab(of content: Widget, frames: Int, last: Widget? = nil, count: Int = 0) {
        afterFrame { [weak self] in
            guard let self else { return }
            let tab = content.frontTab
            let isSame = tab.flatMap { tab in last.map(tab.isSame) } ?? false
            let count = isSame ? count + 1 : 0
            if count < 8, frames > 1 { return focusTab(of: content, frames: frames - 1, last: tab, count: count) }
            content.takesFocus = true
            tab?.grabFocus()
            isPresenting = false
            presented?()
            presented = nil
        }
    }

    /// Calls a function that gives the focus to something else than the tab, as soon as the window takes the focus.
    package func whenPresented(_ body: @escaping () -> Void) { if isPresenting { presented = body } else { body() } }

    /// Brings a page to the front.
    package func show(_ page: RowPage) { adw_preferences_window_set_visible_page(c(), page.c()) }

    /// - Parameter text: Plain text.
    package func showToast(_ text: String) {
        let toast = Object(owning: UnsafeMutableRawPointer(adw_toast_new(Markup.escaped(text))))
        // The window takes a reference; the object releases its own.
        adw_preferences_window_add_toast(c(), g_object_ref(toast.pointer).map { OpaquePointer($0) })
        announce(text)
    }
}

extension Widget {
    /// Lets the labels in it have several lines, of which libadwaita cuts the only one.
    fileprivate func wrapLabels() {
        for child in children {
            child.wrapLabels()
            guard child.isA(Label.type) else { continue }
            gtk_label_set_ellipsize(child.c(), PANGO_ELLIPSIZE_NONE)
            gtk_label_set_wrap(child.c(), 1)
            gtk_label_set_wrap_mode(child.c(), PANGO_WRAP_WORD_CHAR)
            gtk_label_set_justify(child.c(), GTK_JUSTIFY_CENTER)
        }
    }

    /// The active tab in it that is on the screen. One that fades away is before the one that takes its place.
    fileprivate var frontTab: Widget? {
        for child in children.reversed() where child.isMapped {
            let isTab = gtk_accessible_get_accessible_role(OpaquePointer(child.pointer)) == GTK_ACCESSIBLE_ROLE_TAB
            if isTab, child.isA(ToggleButton.type), gtk_toggle_button_get_active(child.c()) != 0 { return child }
            if let tab = child.frontTab { return tab }
        }
        return nil
    }
}

/// A page of a ``PreferencesWindow``.
package final class RowPage: Widget {
    override class var type: GType { adw_preferences_page_get_type() }

    package convenience init(title: String, icon: String) {
        self.init(owning: UnsafeMutableRawPointer(adw_preferences_page_new()))
        adw_preferences_page_set_title(c(), title)
        adw_preferences_page_set_icon_name(c(), icon)
    }

    package func add(_ group: RowGroup) { adw_preferences_page_add(c(), group.c()) }

    package func remove(_ group: RowGroup) {
        group.closeMenus()
        group.removeRows()
        adw_preferences_page_remove(c(), group.c())
    }
}

/// Rows with a heading.
package final class RowGroup: Widget {
    override class var type: GType { adw_preferences_group_get_type() }

    private var rows: [Widget] = []

    package convenience init() {
        self.init(owning: UnsafeMutableRawPointer(adw_preferences_group_new()))
        useWidthFirst()
        useGridsForTexts()
        silenceContainers()
    }

    /// - Parameter text: Plain text below the title.
    package func set(title: String, text: String) {
        first(of: gtk_list_box_get_type())?.setOnlyLabel(title)
        // Both are markup.
        adw_preferences_group_set_title(c(), Markup.escaped(title))
        adw_preferences_group_set_description(c(), text.isEmpty ? nil : Markup.escaped(text))
    }

    package func add(_ row: Widget) {
        rows.append(row)
        adw_preferences_group_add(c(), row.c())
    }

    fileprivate func removeRows() {
        for row in rows { adw_preferences_group_remove(c(), row.c()) }
        rows = []
    }
}

/// A row with a title.
package class PreferencesRow: Widget {
    override class var type: GType { adw_preferences_row_get_type() }

    package func setTitle(_ title: String) {
        usePlainText()
        adw_preferences_row_set_title(c(), title)
    }

    private var spoken: [String] = []

    /// Sets what a screen reader says of the row: its title with what the title belongs to, and its value and text.
    package func setSpoken(_ label: String, _ description: String) {
        if spoken == [label, description] { return }
        spoken = [label, description]
        // Otherwise screen readers say "not selected" of each: Orca 43 also of one that cannot be selected.
        gtk_list_box_row_set_selectable(c(), 0)
        if gtk_get_minor_version() < 10 { feedbell_accessible_set_selected(OpaquePointer(pointer)) }
        setOnlyLabel(label)
        setOnlyDescription(description)
    }

    /// Title and subtitle are no markup: escaped, screen readers would read the escapes.
    fileprivate func usePlainText() { adw_preferences_row_set_use_markup(c(), 0) }

    /// Whether keys go to it or to a widget in it, but to none in the rows below it.
    package var isFocused: Bool {
        guard let root = gtk_widget_get_root(c()), let focus = gtk_root_get_focus(root) else { return false }
        let row = gtk_widget_get_ancestor(focus, adw_preferences_row_get_type())
        return row.map { UnsafeMutableRawPointer($0) } == pointer
    }

    package func takeFocus() { gtk_widget_child_focus(c(), GTK_DIR_TAB_FORWARD) }
}

package class ActionRow: PreferencesRow {
    override class var type: GType { adw_action_row_get_type() }

    package convenience init() {
        self.init(owning: UnsafeMutableRawPointer(adw_action_row_new()))
        useGridsForTexts()
    }

    package func setSubtitle(_ text: String) {
        usePlainText()
        adw_action_row_set_subtitle(c(), text)
    }

    /// Makes the row a button.
    ///
    /// - Parameter opens: Whether it leads to another window, and has an arrow.
    package func onPress(opens: Bool, _ body: @escaping () -> Void) {
        gtk_list_box_row_set_activatable(c(), 1)
        if opens { adw_action_row_add_suffix(c(), gtk_image_new_from_icon_name("go-next-symbolic")) }
        on("activated", body)
    }

    /// Adds a control at the end. A click on the row is one on the control.
    package func add(control: Widget) {
        gtk_widget_set_valign(control.c(), GTK_ALIGN_CENTER)
        adw_action_row_add_suffix(c(), control.c())
        adw_action_row_set_activatable_widget(c(), control.c())
        // libadwaita names the control by the title alone.
        gtk_accessible_reset_relation(OpaquePointer(control.pointer), GTK_ACCESSIBLE_RELATION_LABELLED_BY)
    }

    /// Adds an icon before the title.
    package func add(prefix icon: String, style: String) {
        let image = Widget(sharing: UnsafeMutableRawPointer(gtk_image_new_from_icon_name(icon)!))
        image.set(style: style, true)
        adw_action_row_add_prefix(c(), image.c())
    }

    /// Adds a widget at the end that takes no clicks.
    package func add(suffix: Widget) {
        gtk_widget_set_valign(suffix.c(), GTK_ALIGN_CENTER)
        adw_action_row_add_suffix(c(), suffix.c())
    }
}

/// A row that shows further rows below it.
package final class ExpanderRow: PreferencesRow {
    override class var type: GType { adw_expander_row_get_type() }

    /// The row with the title, which gets the focus.
    private lazy var header = first(ActionRow.self)

    package convenience init() {
        self.init(owning: UnsafeMutableRawPointer(adw_expander_row_new()))
        useGridsForTexts()
        silenceContainers()
        let say = { [unowned self] in
            if let header { feedbell_accessible_set_expanded(OpaquePointer(header.pointer), isUnfolded ? 1 : 0) }
        }
        say()
        onChange(of: "expanded", say)
    }

    override package func setSpoken(_ label: String, _ description: String) {
        header?.setSpoken(label, description)
    }

    package func setSubtitle(_ text: String) {
        usePlainText()
        adw_expander_row_set_subtitle(c(), text)
    }

    package func add(control: Widget) {
        gtk_widget_set_valign(control.c(), GTK_ALIGN_CENTER)
        adw_expander_row_add_action(c(), control.c())
    }

    package func add(_ row: Widget) { adw_expander_row_add_row(c(), row.c()) }

    /// Whether the rows below it are shown.
    package var isUnfolded: Bool {
        get { adw_expander_row_get_expanded(c()) != 0 }
        set { adw_expander_row_set_expanded(c(), newValue ? 1 : 0) }
    }
}

/// A row that chooses one of several texts.
package final class ComboRow: ActionRow {
    override class var type: GType { adw_combo_row_get_type() }

    package convenience init(_ choices: [String]) {
        self.init(owning: UnsafeMutableRawPointer(adw_combo_row_new()))
        useGridsForTexts()
        let strings = Object(owning: UnsafeMutableRawPointer(gtk_string_list_new(nil)))
        for choice in choices { gtk_string_list_append(strings.c(), choice) }
        showWholeTexts()
        adw_combo_row_set_model(c(), strings.c())
    }

    /// libadwaita cuts them after some 20 letters, also where there is space for more.
    private func showWholeTexts() {
        guard let factory = adw_combo_row_get_factory(c()) else { return }
        Object(sharing: UnsafeMutableRawPointer(factory)).onObject("setup") { item in
            guard let child = gtk_list_item_get_child(OpaquePointer(item)) else { return }
            let label = Widget(sharing: UnsafeMutableRawPointer(child)).first(Label.self)
            if let label { gtk_label_set_max_width_chars(label.c(), -1) }
        }
    }

    /// The index of the chosen one; nil: none of them.
    package var chosen: Int? {
        get {
            let index = adw_combo_row_get_selected(c())
            return index == GTK_INVALID_LIST_POSITION ? nil : Int(index)
        }
        set { if chosen != newValue { adw_combo_row_set_selected(c(), newValue.map(guint.init) ?? guint.max) } }
    }

    package func onChoice(_ body: @escaping () -> Void) { onChange(of: "selected", body) }
}

package final class Switch: Widget {
    override class var type: GType { gtk_switch_get_type() }

    package convenience init() { self.init(owning: UnsafeMutableRawPointer(gtk_switch_new())) }

    package var isActive: Bool {
        get { gtk_switch_get_active(c()) != 0 }
        set { if isActive != newValue { gtk_switch_set_active(c(), newValue ? 1 : 0) } }
    }
}

package final class SpinButton: Widget {
    override class var type: GType { gtk_spin_button_get_type() }

    package convenience init(_ range: ClosedRange<Double>) {
        let pointer = gtk_spin_button_new_with_range(range.lowerBound, range.upperBound, 1)
        self.init(owning: UnsafeMutableRawPointer(pointer!))
    }

    package var value: Double {
        get { gtk_spin_button_get_value(c()) }
        set { if value != newValue { gtk_spin_button_set_value(c(), newValue) } }
    }
}
