import CAdwaita
import Glibc

/// Lets screen readers say texts of a window.
///
/// GTK can do that since 4.14. Before, the text becomes the description of the widget with the focus until the focus
/// moves: screen readers speak a new description. So does the first selected one of several rows, which Orca takes for
/// the one with the focus.
final class Announcer {
    /// A screen reader interrupts what it says when the focus moves, which may take some frames.
    private static let delay = 300

    private unowned let window: Window
    private var waiting: [() -> String] = []
    private var described: [Widget] = []
    /// A widget beside the one with the focus that screen readers may take for it.
    var alternative: () -> Widget? = { nil }
    /// The alternative when the first text was announced. The announced action may end the selection that it is of.
    private var formerAlternative: Widget?
    /// Whether the focus is going to move.
    var isFocusDue: () -> Bool = { false }

    init(_ window: Window) {
        self.window = window
        window.onChange(of: "focus-widget") { [weak self] in self?.endDescription() }
        // Otherwise it would be said again when the window gets the focus back.
        window.onActivity { [weak self] in if !$0 { self?.endDescription() } }
    }

    func announce(_ text: @escaping () -> String) {
        if waiting.isEmpty { formerAlternative = alternative() }
        waiting.append(text)
        if waiting.count == 1 { speakLater() }
    }

    private func speakLater() { Later.after(milliseconds: Self.delay) { [weak self] in self?.speak() } }

    /// The texts that were not said yet, which another one says; nil: there are none.
    func take() -> String? {
        let text = waiting.map { $0() }.filter { !$0.isEmpty }.joined(separator: "\n")
        waiting = []
        return text.isEmpty ? nil : text
    }

    private func speak() {
        if isFocusDue(), !waiting.isEmpty { return speakLater() }
        guard let text = take() else { return }
        if window.announceNow(text) { return }
        endDescription()
        for widget in [window.accessibleFocus, alternative(), formerAlternative].compactMap(\.self)
        where !described.contains(where: widget.isSame) {
            widget.describe(text)
            described.append(widget)
        }
    }

    private func endDescription() {
        for widget in described { widget.restoreDescription() }
        described = []
    }
}

extension Widget {
    /// - Returns: Whether GTK can do it.
    fileprivate func announceNow(_ text: String) -> Bool {
        typealias Announce = @convention(c) (OpaquePointer, UnsafePointer<CChar>, UInt32) -> Void
        // As RTLD_DEFAULT.
        guard let symbol = dlsym(nil, "gtk_accessible_announce") else { return false }
        let medium: UInt32 = 1
        unsafeBitCast(symbol, to: Announce.self)(OpaquePointer(pointer), text, medium)
        return true
    }
}

extension Window {
    /// The widget with the focus, as screen readers see it: an entry, and not the text in it.
    fileprivate var accessibleFocus: Widget? {
        guard let focus = gtk_window_get_focus(c()) else { return nil }
        let widget = Widget(sharing: UnsafeMutableRawPointer(focus))
        return widget.isA(gtk_text_get_type()) ? widget.parent : widget
    }
}
