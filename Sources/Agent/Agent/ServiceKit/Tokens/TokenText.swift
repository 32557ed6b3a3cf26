/// The token in the output of a command, in a file or in a keyring: its first line without white space around it.
package enum TokenText: Equatable, Sendable {
    case token(String)
    case empty
    /// The line contains characters other than visible ASCII, which an HTTP header cannot contain.
    case garbled

    package init(_ text: String) {
        let line = text.split(whereSeparator: \.isNewline).first ?? ""
        let trimmed = line.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed()
        self =
            if trimmed.isEmpty {
                .empty
            } else if String(trimmed).utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) {
                .token(String(trimmed))
            } else {
                .garbled
            }
    }
}
