/// A command that the user types.
package enum TerminalCommand: Sendable, Equatable {
    /// A click on the popup itself: its `default` action.
    case click(UInt32)
    /// A button, counted from 1.
    case button(UInt32, Int)
    case dismiss(UInt32)
    case list
    case help
    case quit

    /// A line that is not a command, and the error message.
    package struct Misunderstood: Error, Sendable, Equatable {
        package let sentence: String

        package init(sentence: String) { self.sentence = sentence }
    }

    /// The output of `help`.
    package static let manual = """
        3            click popup 3
        3 2          press its second button (or: button 3 2)
        click 3      the same as 3
        dismiss 3    dismiss popup 3
        list         list open popups
        quit         quit
        """

    /// Parses one line; `nil` for an empty one.
    /// - Throws: ``Misunderstood``.
    package static func parse(_ line: String) throws(Misunderstood) -> TerminalCommand? {
        let words = line.split(whereSeparator: \.isWhitespace).map(String.init)
        guard let first = words.first else { return nil }
        let rest = Array(words.dropFirst())
        switch first.lowercased() {
        case "click":
            try expect(1, rest, "click 3")
            return .click(try popup(rest[0]))
        case "button":
            try expect(2, rest, "button 3 2")
            return .button(try popup(rest[0]), try button(rest[1]))
        case "dismiss":
            try expect(1, rest, "dismiss 3")
            return .dismiss(try popup(rest[0]))
        case "list", "help", "quit":
            try expect(0, rest, first)
            return first.lowercased() == "list" ? .list : first.lowercased() == "help" ? .help : .quit
        default:
            guard first.utf8.allSatisfy({ (48...57).contains($0) }) else {
                throw Misunderstood(
                    sentence:
                        "“\(TerminalText.visible(String(first.prefix(40))))” is not a command. Type “help” for a list."
                )
            }
            if rest.isEmpty { return .click(try popup(first)) }
            try expect(1, rest, "3 2")
            return .button(try popup(first), try button(rest[0]))
        }
    }

    private static func expect(_ count: Int, _ words: [String], _ example: String) throws(Misunderstood) {
        guard words.count == count else {
            throw Misunderstood(sentence: "Wrong number of arguments. Example: \(example)")
        }
    }

    private static func popup(_ word: String) throws(Misunderstood) -> UInt32 {
        guard let id = UInt32(word), id > 0 else {
            throw Misunderstood(
                sentence: "“\(TerminalText.visible(String(word.prefix(40))))” is not the number of a popup."
            )
        }
        return id
    }

    private static func button(_ word: String) throws(Misunderstood) -> Int {
        guard let number = Int(word), number > 0 else {
            throw Misunderstood(
                sentence:
                    "“\(TerminalText.visible(String(word.prefix(40))))” is not the number of a button; the first is 1."
            )
        }
        return number
    }
}
