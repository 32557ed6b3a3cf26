import AgentTestSupport
import FoundationEssentials
import TestSupport
import Testing

/// An `xdg-open` that only notes its arguments: the address and the tokens of its environment.
struct OpenedAddresses: Sendable {
    let directory: String

    static func with<Result>(_ body: (OpenedAddresses) async throws -> Result) async throws -> Result {
        let script = """
            #!/bin/sh
            directory=$(dirname "$0")
            printf '%s %s %s\\n' "$1" "${XDG_ACTIVATION_TOKEN-none}" "${DESKTOP_STARTUP_ID-none}" >"$directory/.new"
            mv "$directory/.new" "$directory/opened"

            """
        return try await TemporaryFile.with(script, named: "xdg-open") { file in
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file.path)
            return try await body(OpenedAddresses(directory: file.directory))
        }
    }

    /// Waits until something was opened: address, Wayland token, X11 token; "none" for none.
    func next(sourceLocation: SourceLocation = #_sourceLocation) async throws -> [String] {
        let path = directory + "/opened"
        try await waiting(for: "an opened address", sourceLocation: sourceLocation) {
            FileManager.default.fileExists(atPath: path)
        }
        let text = String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
        try FileManager.default.removeItem(atPath: path)
        return text.split(whereSeparator: \.isWhitespace).map(String.init)
    }
}
