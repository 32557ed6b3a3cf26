import AgentInterface

/// Decodes the bytes that a terminal sends for keys: UTF-8, and the control sequences of ECMA-48 as xterm sends them
/// (XTerm Control Sequences, "PC-Style Function Keys"), its mouse, and what is pasted ("Bracketed Paste Mode").
struct TerminalKeyDecoder: Equatable {
    /// The maximum length of a control sequence; a longer one is discarded.
    private static let sequenceLimit = 32

    /// The part of a pasted text that is kept, in bytes.
    private static let pasteLimit = 4096
    private static let pasteBegin = Array("\u{1B}[200~".utf8)
    private static let pasteEnd = Array("\u{1B}[201~".utf8)

    private var pending: [UInt8] = []
    /// The begin of a pasted text whose end has not come; nil: none.
    private var pasted: [UInt8]?

    /// Whether the bytes so far are the begin of a sequence. A single escape character is one, too, until
    /// ``finish()``.
    var isPending: Bool { !pending.isEmpty && pasted == nil }

    /// Decodes the next bytes. Unknown sequences and invalid bytes are ignored.
    mutating func decode(_ bytes: some Sequence<UInt8>) -> [TerminalInput] {
        pending += bytes
        var inputs: [TerminalInput] = []
        while true {
            if pasted != nil {
                guard let text = takePaste() else { return inputs }
                inputs.append(.paste(text))
            } else if pending.starts(with: Self.pasteBegin) {
                pending.removeFirst(Self.pasteBegin.count)
                pasted = []
            } else {
                guard let (length, input) = next() else { return inputs }
                pending.removeFirst(length)
                if let input { inputs.append(input) }
            }
        }
    }

    /// No more bytes came for a while: a single escape character is the key.
    mutating func finish() -> [TerminalKey] {
        guard isPending else { return [] }
        defer { pending = [] }
        return pending == [0x1B] ? [.escape] : []
    }

    /// Takes the pasted text with its end; nil: that has not come.
    private mutating func takePaste() -> String? {
        let end = pending.indices.first { pending[$0...].starts(with: Self.pasteEnd) }
        // The last bytes may be a part of the end.
        let length = end ?? max(0, pending.count - Self.pasteEnd.count + 1)
        var text = pasted ?? []
        text += pending.prefix(min(length, Self.pasteLimit - text.count))
        pending.removeFirst(length + (end == nil ? 0 : Self.pasteEnd.count))
        pasted = end == nil ? text : nil
        return end == nil ? nil : String(decoding: text, as: UTF8.self)
    }

    /// The length of the first input in bytes, and the input unless it is unknown; nil: it is not complete.
    private func next() -> (length: Int, input: TerminalInput?)? {
        guard let first = pending.first else { return nil }
        switch first {
        case 0x1B: return sequence()
        case 0x09: return (1, .key(.tab))
        case 0x0D, 0x0A: return (1, .key(.enter))
        case 0x08, 0x7F: return (1, .key(.backspace))
        case 0x01...0x1A: return (1, .key(.control(Character(Unicode.Scalar(first + 0x60)))))
        case 0x00..<0x20: return (1, nil)
        case 0x20..<0x80: return (1, .key(.character(Character(Unicode.Scalar(first)))))
        default: return character(first)
        }
    }

    /// A character outside ASCII.
    ///
    /// - Parameter start: The number of bytes before it.
    private func character(_ first: UInt8, at start: Int = 0) -> (Int, TerminalInput?)? {
        let length: Int
        switch first {
        case 0xC2...0xDF: length = 2
        case 0xE0...0xEF: length = 3
        case 0xF0...0xF4: length = 4
        default: return (1, nil)
        }
        let bytes = pending.dropFirst(start).prefix(length)
        if let wrong = bytes.dropFirst().firstIndex(where: { $0 & 0xC0 != 0x80 }) { return (wrong - start, nil) }
        guard bytes.count == length else { return nil }
        guard let text = String(validating: bytes, as: UTF8.self), let character = text.first else {
            return (length, nil)
        }
        return (length, .key(.character(character)))
    }

    /// A sequence that begins with an escape character.
    private func sequence() -> (Int, TerminalInput?)? {
        guard pending.count > 1 else { return nil }
        switch pending[1] {
        case UInt8(ascii: "["):
            guard let end = pending.dropFirst(2).firstIndex(where: { (0x40...0x7E).contains($0) }) else {
                return pending.count > Self.sequenceLimit ? (pending.count, nil) : nil
            }
            return (end + 1, Self.input(parameters: pending[2..<end], final: pending[end]))
        case UInt8(ascii: "O"):
            guard pending.count > 2 else { return nil }
            return (3, Self.input(parameters: [], final: pending[2]))
        case 0x1B: return (1, .key(.escape))
        // A key with Alt: of a control character, which always acts, only the modifier is ignored.
        case 0x00..<0x20: return (1, nil)
        case 0x20..<0x80: return (2, nil)
        default: return character(pending[1], at: 1).map { ($0.0 + 1, nil) }
        }
    }

    private static func input(parameters: ArraySlice<UInt8>, final: UInt8) -> TerminalInput? {
        if parameters.first == UInt8(ascii: "<") {
            let isPressed = final == UInt8(ascii: "M")
            return TerminalMouse(parameters: parameters.dropFirst(), isPressed: isPressed).map { .mouse($0) }
        }
        return key(parameters: parameters, final: final).map { .key($0) }
    }

    private static func key(parameters: ArraySlice<UInt8>, final: UInt8) -> TerminalKey? {
        switch final {
        case UInt8(ascii: "A"): return .up
        case UInt8(ascii: "B"): return .down
        case UInt8(ascii: "C"): return .right
        case UInt8(ascii: "D"): return .left
        case UInt8(ascii: "F"): return .end
        case UInt8(ascii: "H"): return .home
        case UInt8(ascii: "M"): return .enter
        case UInt8(ascii: "Z"): return .backTab
        case UInt8(ascii: "~"): break
        default: return nil
        }
        switch Int(String(decoding: parameters.prefix { $0 != UInt8(ascii: ";") }, as: UTF8.self)) {
        case 1, 7: return .home
        case 3: return .delete
        case 4, 8: return .end
        case 5: return .pageUp
        case 6: return .pageDown
        case let number? where (11...15).contains(number): return .function(number - 10)
        default: return nil
        }
    }
}
