import FoundationEssentials
package import Testing

/// Texts that tests compare with files: `Snapshots/NAME.txt` beside the test.
///
/// With the environment variable `FEEDBELL_UPDATE_SNAPSHOTS` set, the files are written instead; look at what
/// `git diff` says then.
package enum Snapshot {
    private static let isUpdating = ProcessInfo.processInfo.environment["FEEDBELL_UPDATE_SNAPSHOTS"] != nil

    /// Expects `text` to be what the file holds.
    package static func expect(
        _ text: String,
        is name: String,
        beside file: String = #filePath,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let snapshot = URL(filePath: file).deletingLastPathComponent().appending(path: "Snapshots/\(name).txt")
        if isUpdating {
            try FileManager.default.createDirectory(
                at: snapshot.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            return try Data(text.utf8).write(to: snapshot)
        }
        let expected = (try? Data(contentsOf: snapshot)).map { String(decoding: $0, as: UTF8.self) }
        guard text != expected else { return }
        let difference = difference(from: expected ?? "", to: text)
        Issue.record(
            "\(name) differs from \(snapshot.path). To accept it, set FEEDBELL_UPDATE_SNAPSHOTS=1.\n\(difference)",
            sourceLocation: sourceLocation
        )
    }

    /// The lines that differ, `-` before those of the file and `+` before the others.
    package static func difference(from expected: String, to text: String) -> String {
        let old = expected.split(separator: "\n", omittingEmptySubsequences: false)
        let new = text.split(separator: "\n", omittingEmptySubsequences: false)
        return new.difference(from: old).map { change in
            switch change {
            case .remove(let line, let text, _): "-\(line + 1): \(text)"
            case .insert(let line, let text, _): "+\(line + 1): \(text)"
            }
        }.joined(separator: "\n")
    }
}
