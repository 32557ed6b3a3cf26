import CAdwaita

/// Keeps the focus of a window on a widget that is shown.
///
/// GTK leaves it on a widget that was removed while the window was hidden, and in a menu that closed below its first
/// page. From there no key reaches the window, and a screen reader has nothing to read.
final class FocusWatch {
    private unowned let window: Window
    private let restore: (_ last: Widget?) -> Bool
    /// The last focused widget that was in no menu.
    private var last: Widget?
    private var watched: (widget: Widget, connection: SignalConnection)?
    private var isCheckDue = false
    /// The attempts to find another widget since the focus was lost.
    private var attempts = 0

    /// - Parameter restore: Gives the focus to a widget, at once or in one of the next frames; returns whether there is
    ///   one.
    init(_ window: Window, restore: @escaping (_ last: Widget?) -> Bool) {
        (self.window, self.restore) = (window, restore)
        window.onChange(of: "focus-widget") { [weak self] in self?.focusMoved() }
        window.on("map") { [weak self] in self?.windowCame() }
        window.onActivity { [weak self] _ in self?.windowCame() }
    }

    private func windowCame() {
        attempts = 0
        checkLater()
    }

    private func focusMoved() {
        let focus = window.focusedWidget
        if let watched {
            if let focus, watched.widget.isSame(as: focus) { return }
            watched.widget.disconnect(watched.connection)
        }
        watched = focus.map { widget in (widget, widget.on("unmap") { [weak self] in self?.checkLater() }) }
        if let focus, focus.isMapped, !focus.isInMenu { last = focus }
        checkLater()
    }

    private static var attemptLimit: Int { 5 }

    /// GTK may be about to move the focus itself.
    private func checkLater() {
        guard !isCheckDue else { return }
        isCheckDue = true
        Later.whenIdle { [weak self] in self?.check() }
    }

    /// - Parameter isSettled: Whether what is being revealed is shown by now.
    private func check(isSettled: Bool = false) {
        isCheckDue = false
        let focus = window.focusedWidget
        guard window.isMapped, focus?.isMapped != true else {
            attempts = 0
            return
        }
        // What is in a closed menu or was removed is not shown again.
        if !isSettled, let focus, focus.isIn(window), gtk_widget_is_visible(focus.c()) != 0 {
            return Later.after(milliseconds: 300) { [weak self] in
                if self?.window.focusedWidget?.isSame(as: focus) == true { self?.check(isSettled: true) }
            }
        }
        attempts += 1
        if attempts > 2 * Self.attemptLimit { return }
        if attempts > Self.attemptLimit || !restore(last) { focusAny() }
        Later.after(milliseconds: 200) { [weak self] in self?.check() }
    }

    private func focusAny() {
        if let last, last.isMapped, last.isIn(window), last.grabFocus() { return }
        last = nil
        gtk_window_set_focus(window.c(), nil)
        // The first time, it may go on where the focus was, and come to the end.
        if gtk_widget_child_focus(window.c(), GTK_DIR_TAB_FORWARD) == 0 {
            gtk_widget_child_focus(window.c(), GTK_DIR_TAB_FORWARD)
        }
    }
}

extension Window {
    /// The widget to which keys go; nil: to the window itself.
    fileprivate var focusedWidget: Widget? {
        gtk_window_get_focus(c()).map { Widget(sharing: UnsafeMutableRawPointer($0)) }
    }
}

extension Widget {
    fileprivate var isInMenu: Bool { gtk_widget_get_ancestor(c(), gtk_popover_get_type()) != nil }

    /// Whether the widget is this one, or a part of it.
    package func isIn(_ other: Widget) -> Bool {
        isSame(as: other) || gtk_widget_is_ancestor(c(), other.c()) != 0
    }

    /// Closes the menus and lists that belong to it. One that is removed while it is open would keep all input.
    func closeMenus() {
        var child = gtk_widget_get_first_child(c())
        while let widget = child {
            child = gtk_widget_get_next_sibling(widget)
            let widget = Widget(sharing: UnsafeMutableRawPointer(widget))
            if g_type_check_instance_is_a(widget.c(), gtk_popover_get_type()) != 0 {
                gtk_popover_popdown(widget.c())
            } else {
                widget.closeMenus()
            }
        }
    }
}
