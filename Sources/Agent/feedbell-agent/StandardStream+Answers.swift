import FoundationEssentials
import VisibleText

/// The answers of this program to the command `feedbell`.
extension StandardStream {
    /// Writes each sentence on a line.
    func write(sentences: [String]) { for sentence in sentences { write(VisibleText.line(sentence) + "\n") } }

    /// Writes a value as a line of JSON.
    func write(json value: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        write(json: String(decoding: try encoder.encode(value), as: UTF8.self))
    }
}
