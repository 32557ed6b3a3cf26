import AgentInterface

/// An action of the mouse (XTerm Control Sequences, "Extended coordinates", SGR).
enum TerminalMouse: Equatable, Sendable {
    /// The left button was pressed. Column and row are counted from 0.
    case press(column: Int, row: Int)
    case wheelUp, wheelDown

    /// - Parameters:
    ///   - parameters: What is between `ESC [ <` and the final character.
    ///   - isPressed: Whether the final character is `M`.
    init?(parameters: some Sequence<UInt8>, isPressed: Bool) {
        let numbers = String(decoding: Array(parameters), as: UTF8.self).split(separator: ";").map { Int($0) }
        guard isPressed, numbers.count == 3, let button = numbers[0], let column = numbers[1], let row = numbers[2],
            (1...10_000).contains(column), (1...10_000).contains(row)
        else { return nil }
        // Shift, Alt and Control are bits.
        switch button & ~0b11100 {
        case 0: self = .press(column: column - 1, row: row - 1)
        case 64: self = .wheelUp
        case 65: self = .wheelDown
        default: return nil
        }
    }
}

/// The input of a terminal.
enum TerminalInput: Equatable, Sendable {
    case key(TerminalKey)
    case mouse(TerminalMouse)
    /// What the user pasted, at most 4 kB of it.
    case paste(String)
}
