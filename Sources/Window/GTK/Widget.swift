import CAdwaita

/// Anything that is shown.
package class Widget: Object {
    override class var type: GType { gtk_widget_get_type() }

    /// The controllers that handle input of this widget.
    private var controllers: [Object] = []

    package var isVisible: Bool {
        get { gtk_widget_get_visible(c()) != 0 }
        set { gtk_widget_set_visible(c(), newValue ? 1 : 0) }
    }

    package var isSensitive: Bool {
        get { gtk_widget_get_sensitive(c()) != 0 }
        set { gtk_widget_set_sensitive(c(), newValue ? 1 : 0) }
    }

    /// Plain text; empty: none.
    package func setTooltip(_ text: String) {
        gtk_widget_set_tooltip_text(c(), text.isEmpty ? nil : text)
        keep(description: text)
    }

    /// Asks for the tooltip when it is to be shown, for one that changes often: setting it asks the display where the
    /// pointer is, and waits for the answer.
    ///
    /// - Parameter text: Plain text; empty: none.
    package func onTooltip(_ text: @escaping () -> String) {
        gtk_widget_set_has_tooltip(c(), 1)
        onTooltip("query-tooltip", text)
    }

    /// Adds or removes a class of the style sheet.
    package func set(style name: String, _ isOn: Bool) {
        if isOn { gtk_widget_add_css_class(c(), name) } else { gtk_widget_remove_css_class(c(), name) }
    }

    /// Sets the text that a screen reader says.
    package func setAccessibleLabel(_ text: String) { setAccessible(GTK_ACCESSIBLE_PROPERTY_LABEL, text) }

    /// Sets the text that a screen reader says, instead of that of another widget.
    func setOnlyLabel(_ text: String) {
        gtk_accessible_reset_relation(OpaquePointer(pointer), GTK_ACCESSIBLE_RELATION_LABELLED_BY)
        setAccessibleLabel(text)
    }

    /// Sets what a screen reader says after the label.
    package func setAccessibleDescription(_ text: String) {
        describe(text)
        keep(description: text)
    }

    /// Sets what a screen reader says after the label, instead of the text of another widget.
    func setOnlyDescription(_ text: String) {
        gtk_accessible_reset_relation(OpaquePointer(pointer), GTK_ACCESSIBLE_RELATION_DESCRIBED_BY)
        setAccessibleDescription(text)
    }

    /// Sets what a screen reader says after the label until ``restoreDescription()``.
    func describe(_ text: String) { setAccessible(GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text) }

    func restoreDescription() {
        let kept = g_object_get_data(c(), Self.descriptionKey)?.assumingMemoryBound(to: CChar.self)
        describe(kept.map { String(cString: $0) } ?? "")
    }

    /// GTK does not tell the description of a widget.
    private func keep(description: String) {
        g_object_set_data_full(c(), Self.descriptionKey, g_strdup(description), g_free)
    }

    private static let descriptionKey = "feedbell-description"

    /// Says to screen readers whether the value is wrong.
    package func setInvalid(_ isInvalid: Bool) {
        feedbell_accessible_set_invalid(OpaquePointer(pointer), isInvalid ? 1 : 0)
    }

    private func setAccessible(_ property: GtkAccessibleProperty, _ text: String) {
        Self.setAccessible(OpaquePointer(pointer), property, text)
    }

    static func setAccessible(_ accessible: OpaquePointer?, _ property: GtkAccessibleProperty, _ text: String) {
        var property = property
        var value = GValue()
        g_value_init(&value, GType(16 << 2))  // G_TYPE_STRING
        g_value_set_string(&value, text)
        gtk_accessible_update_property_value(accessible, 1, &property, &value)
        g_value_unset(&value)
    }

    /// Sets the text that a screen reader says of the row of a list that contains this widget.
    package func setRowLabel(_ text: String) {
        parent?.setAccessibleLabel(text)
    }

    /// Whether the widget and those in it get clicks; otherwise what is below them gets them.
    package func setTakesClicks(_ takesClicks: Bool) { gtk_widget_set_can_target(c(), takesClicks ? 1 : 0) }

    /// Whether the widget and those in it can get the focus.
    package var takesFocus: Bool {
        get { gtk_widget_get_can_focus(c()) != 0 }
        set { gtk_widget_set_can_focus(c(), newValue ? 1 : 0) }
    }

    /// Moves the focus to the next widget in it.
    ///
    /// - Returns: Whether there is one.
    package func moveFocus(backward: Bool = false) -> Bool {
        gtk_widget_child_focus(c(), backward ? GTK_DIR_TAB_BACKWARD : GTK_DIR_TAB_FORWARD) != 0
    }

    package var isRightToLeft: Bool { gtk_widget_get_direction(c()) == GTK_TEXT_DIR_RTL }

    /// Lays out its children, which keep their own directions, from the right to the left.
    ///
    /// - Parameter isRTL: nil: in the direction of the window.
    package func layOut(rightToLeft isRTL: Bool?) {
        let direction = isRTL.map { $0 ? GTK_TEXT_DIR_RTL : GTK_TEXT_DIR_LTR } ?? GTK_TEXT_DIR_NONE
        gtk_widget_set_direction(c(), direction)
    }

    /// The name of the pointer's shape over it.
    package func setPointer(_ name: String) { gtk_widget_set_cursor_from_name(c(), name) }

    /// Copies a text for other programs.
    package func copy(_ text: String) { gdk_clipboard_set_text(gtk_widget_get_clipboard(c()), text) }

    var parent: Widget? { gtk_widget_get_parent(c()).map { Widget(sharing: UnsafeMutableRawPointer($0)) } }

    @discardableResult package func grabFocus() -> Bool { gtk_widget_grab_focus(c()) != 0 }

    /// Tells screen readers of the focus again, if it is still here. GTK 4.8 does not tell them that a widget has it
    /// that was never shown before, and tells them of the first one before they know the program.
    package func reportFocusLater() {
        Later.after(milliseconds: 200) { [weak self] in
            guard let self, let root = gtk_widget_get_root(c()), let focus = gtk_root_get_focus(root) else { return }
            let widget = Widget(sharing: UnsafeMutableRawPointer(focus))
            guard widget.isIn(self) else { return }
            gtk_root_set_focus(root, nil)
            // A text would select what is typed by now, which the next letter would replace. Its entry does not.
            (widget.isA(gtk_text_get_type()) ? widget.parent : widget)?.grabFocus()
        }
    }

    /// Whether the widget is a part of a window on the screen.
    package var isMapped: Bool { gtk_widget_get_mapped(c()) != 0 }

    /// The upper and lower edge of this widget in another one; nil: they are in different windows.
    package func verticalRange(in other: Widget) -> ClosedRange<Double>? {
        var bounds = graphene_rect_t()
        guard isMapped, gtk_widget_compute_bounds(c(), other.c(), &bounds) != 0 else { return nil }
        let top = Double(bounds.origin.y)
        return top...max(top, top + Double(bounds.size.height))
    }

    /// nil: that of its content.
    package var minimumHeight: Double? {
        get {
            var height: Int32 = -1
            gtk_widget_get_size_request(c(), nil, &height)
            return height < 0 ? nil : Double(height)
        }
        set { gtk_widget_set_size_request(c(), -1, newValue.map { Int32($0) } ?? -1) }
    }

    /// Whether a widget in it has the focus.
    package var hasFocusInside: Bool {
        guard let root = gtk_widget_get_root(c()), let focus = gtk_root_get_focus(root) else { return false }
        return gtk_widget_is_ancestor(focus, c()) != 0
    }

    package var height: Double { Double(gtk_widget_get_height(c())) }

    /// A place in this widget as one in another.
    package func translate(_ x: Double, _ y: Double, to other: Widget) -> (x: Double, y: Double)? {
        var (toX, toY) = (0.0, 0.0)
        guard gtk_widget_translate_coordinates(c(), other.c(), x, y, &toX, &toY) != 0 else { return nil }
        return (toX, toY)
    }

    // MARK: Input

    /// Presses of keys that no focused widget uses.
    ///
    /// - Parameters:
    ///   - isFirst: Whether it gets the key before the widgets in it.
    ///   - body: Returns whether it has used the key.
    package func onKey(isFirst: Bool = false, _ body: @escaping (Key) -> Bool) {
        let controller = Object(owning: UnsafeMutableRawPointer(gtk_event_controller_key_new()))
        if isFirst { gtk_event_controller_set_propagation_phase(controller.c(), GTK_PHASE_CAPTURE) }
        controller.onKey("key-pressed") { key, modifiers in body(Key(value: key, modifiers: modifiers)) }
        add(controller)
    }

    /// Clicks of a button of the pointer, and taps.
    ///
    /// - Parameters:
    ///   - button: 1: the left one, 3: the right one.
    ///   - isFirst: Whether it gets the click before the widgets in it.
    ///   - claims: Called when the button is pressed, with the modifiers: whether others do not get the click.
    package func onClick(
        button: Int,
        isFirst: Bool = false,
        claims: @escaping (Key.Modifiers) -> Bool = { _ in false },
        _ body: @escaping (_ x: Double, _ y: Double, Key.Modifiers) -> Void
    ) {
        let gesture = Object(owning: UnsafeMutableRawPointer(gtk_gesture_click_new()))
        gtk_gesture_single_set_button(gesture.c(), guint(button))
        if isFirst { gtk_event_controller_set_propagation_phase(gesture.c(), GTK_PHASE_CAPTURE) }
        gesture.onPress("pressed") { [unowned gesture] _, x, y in
            let state = gtk_event_controller_get_current_event_state(gesture.c())
            if claims(Key.Modifiers(state)) { gtk_gesture_set_state(gesture.c(), GTK_EVENT_SEQUENCE_CLAIMED) }
        }
        gesture.onPress("released") { [unowned gesture] count, x, y in
            let state = gtk_event_controller_get_current_event_state(gesture.c())
            if count == 1 { body(x, y, Key.Modifiers(state)) }
        }
        add(gesture)
    }

    /// Touches and presses that last.
    package func onLongPress(_ body: @escaping (_ x: Double, _ y: Double) -> Void) {
        let gesture = Object(owning: UnsafeMutableRawPointer(gtk_gesture_long_press_new()))
        gtk_gesture_single_set_touch_only(gesture.c(), 1)
        gesture.onPoint("pressed", body)
        add(gesture)
    }

    private func add(_ controller: Object) {
        controllers.append(controller)
        // The widget takes a reference; the object releases its own.
        gtk_widget_add_controller(c(), g_object_ref(controller.pointer).map { OpaquePointer($0) })
    }
}

/// A key with its modifiers.
package struct Key: Equatable {
    package struct Modifiers: Equatable {
        package var control = false
        package var shift = false
        package var alt = false

        init(_ state: GdkModifierType) {
            control = state.rawValue & GDK_CONTROL_MASK.rawValue != 0
            shift = state.rawValue & GDK_SHIFT_MASK.rawValue != 0
            alt = state.rawValue & GDK_ALT_MASK.rawValue != 0
        }
    }

    /// The name as GDK has it, such as `Escape`, `F1` or `a`.
    package let name: String
    /// nil: the key writes nothing.
    package let character: Character?
    package let modifiers: Modifiers

    init(value: UInt32, modifiers state: GdkModifierType) {
        name = gdk_keyval_name(value).map { String(cString: $0) } ?? ""
        let scalar = Unicode.Scalar(gdk_keyval_to_unicode(value))
        character = scalar.flatMap { $0.value >= 0x20 && $0.value != 0x7F ? Character($0) : nil }
        modifiers = Modifiers(state)
    }
}
