/// A popup as lines of text for a terminal.
///
/// ```
/// ┌─ 3 ── Feedbell ── critical ────────┐
/// │ New comment                        │
/// │ Anna wrote: looks good             │
/// │ [1] Open  [2] Mark as read         │
/// └────────────────────────────────────┘
/// ```
package struct PopupDrawing: Sendable {
    /// Columns, including the frame.
    package var width: Int
    /// Whether the summary is bold, and the frame of a critical popup red.
    package var usesColor: Bool

    package init(width: Int = 60, usesColor: Bool = false) {
        self.width = max(20, width)
        self.usesColor = usesColor
    }

    /// The popup's box.
    package func lines(_ popup: TerminalPopup) -> [String] {
        let inner = width - 4
        let frame = popup.urgency == .critical ? "31" : "2"
        let summary = TerminalText.wrap(TerminalText.visible(popup.summary), width: inner)
        let body = TerminalText.visible(TerminalText.fromMarkup(popup.body), keepingNewlines: true)
        let buttons = popup.actions.enumerated().map { index, action in "[\(index + 1)] \(label(action))" }.joined(
            separator: "  "
        )
        var lines = [paint(top(popup), frame)]
        lines += summary.map { row($0, bold: true, frame) }
        if !body.isEmpty { lines += TerminalText.wrap(body, width: inner).map { row($0, bold: false, frame) } }
        if !buttons.isEmpty { lines += TerminalText.wrap(buttons, width: inner).map { row($0, bold: false, frame) } }
        lines.append(paint("└" + String(repeating: "─", count: width - 2) + "┘", frame))
        return lines
    }

    /// The popup in one line, for a list.
    package func summary(_ popup: TerminalPopup) -> String {
        let text = "\(popup.id): \(TerminalText.visible(popup.summary)) (\(TerminalText.visible(popup.appName)))"
        return String(text.prefix(width))
    }

    private func label(_ action: TerminalPopup.Action) -> String {
        let label = TerminalText.visible(action.label)
        if !label.isEmpty { return label }
        return TerminalText.visible(action.key)
    }

    private func top(_ popup: TerminalPopup) -> String {
        var title = "┌─ \(popup.id) ── \(TerminalText.visible(popup.appName)) "
        if popup.urgency != .normal { title += "── \(popup.urgency) " }
        title = String(title.prefix(width - 1))
        return title + String(repeating: "─", count: width - 1 - title.count) + "┐"
    }

    private func row(_ text: String, bold: Bool, _ frame: String) -> String {
        let padding = String(repeating: " ", count: max(0, width - 4 - text.count))
        return paint("│", frame) + " " + (bold ? paint(text, "1") : text) + padding + " " + paint("│", frame)
    }

    private func paint(_ text: String, _ code: String) -> String {
        usesColor ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}
