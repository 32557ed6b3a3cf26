/// A key of a terminal, as the user pressed it.
package enum TerminalKey: Hashable, Sendable {
    case character(Character)
    /// Control and a letter, in lower case.
    case control(Character)
    case enter, escape, tab, backTab, backspace
    case up, down, left, right, pageUp, pageDown, home, end, delete
    case function(Int)
}

extension TerminalKey {
    private static let named: [(key: TerminalKey, name: String)] = [
        (.character(" "), "Space"), (.enter, "Enter"), (.escape, "Escape"), (.tab, "Tab"), (.backTab, "Shift-Tab"),
        (.backspace, "Backspace"), (.up, "Up"), (.down, "Down"), (.left, "Left"), (.right, "Right"),
        (.pageUp, "PageUp"), (.pageDown, "PageDown"), (.home, "Home"), (.end, "End"), (.delete, "Delete"),
        (.function(1), "F1"), (.function(2), "F2"), (.function(3), "F3"), (.function(4), "F4"), (.function(5), "F5"),
    ]

    /// A key by its name; nil: no terminal reports such a key.
    ///
    /// - Parameter name: A character such as `e` or `E`, `Control-` and a letter, or a name such as `Space` or `F5`,
    ///   whose case does not matter.
    package init?(name: String) {
        let lower = name.lowercased()
        if let known = Self.named.first(where: { $0.name.lowercased() == lower }) {
            self = known.key
        } else if lower.hasPrefix("control-"), let letter = lower.dropFirst(8).first, lower.utf8.count == 9 {
            // A terminal sends the same for Control-H, Control-I, Control-J and Control-M as for other keys; Control-C
            // and Control-Z end and suspend the program.
            guard ("a"..."z").contains(letter), !"chijmz".contains(letter) else { return nil }
            self = .control(letter)
        } else if name.count == 1, let character = name.first, !character.isWhitespace,
            character.unicodeScalars.allSatisfy({ $0.value > 0x20 && !(0x7F..<0xA0).contains($0.value) })
        {
            self = .character(character)
        } else {
            return nil
        }
    }

    /// The name of ``init(name:)``.
    package var name: String {
        if let known = Self.named.first(where: { $0.key == self }) { return known.name }
        switch self {
        case .character(let character): return String(character)
        case .control(let letter): return "Control-\(letter.uppercased())"
        case .function(let number): return "F\(number)"
        default: return ""
        }
    }
}
