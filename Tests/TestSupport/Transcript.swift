package import Foundation
import Testing

/// A conversation in a file: `>` is an event, `<` is an effect, `#` is a comment.
package struct Transcript: Sendable, CustomTestStringConvertible {
    /// How the line of a text frame from the server begins.
    private static let received = "> received "

    package let name: String
    package let lines: [String]

    package var testDescription: String { name }

    /// The transcripts in a folder, by name.
    package static func all(in folder: URL?) throws -> [Transcript] {
        let files = try FileManager.default.contentsOfDirectory(
            at: try #require(folder),
            includingPropertiesForKeys: nil
        )
        return try files.filter { $0.pathExtension == "txt" }.map { file in
            let text = try String(contentsOf: file, encoding: .utf8)
            let lines = text.split(separator: "\n").map(String.init).filter { !$0.hasPrefix("#") }
            return Transcript(name: file.deletingPathExtension().lastPathComponent, lines: lines)
        }.sorted { $0.name < $1.name }
    }

    /// The text frames from the server.
    package var receivedFrames: [String] {
        lines.filter { $0.hasPrefix(Self.received) }.map { String($0.dropFirst(Self.received.count)) }
    }

    /// The events of this transcript with their effects.
    ///
    /// - Parameter effects: The effects of an event, by its first word and the rest of its line; nil: it is unknown.
    package func replayed(_ effects: (_ word: String, _ rest: String) -> [String]?) -> [String] {
        var replayed: [String] = []
        for line in lines where line.hasPrefix("> ") {
            let words = line.dropFirst(2).split(separator: " ", maxSplits: 1).map(String.init)
            replayed.append(line)
            replayed += effects(words[0], words.count > 1 ? words[1] : "")?.map { "< " + $0 } ?? ["? unknown event"]
        }
        return replayed
    }
}
