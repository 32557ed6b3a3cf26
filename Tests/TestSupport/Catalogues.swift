package import FoundationEssentials
import Subprocess

/// The compiled catalogues of messages, in a directory of their own.
package struct Catalogues: Sendable {
    /// The languages of `packaging/build/po`, besides English.
    package static let languages = ["de", "es", "fr", "hi", "ja"]

    /// The value of TEXTDOMAINDIR.
    package let directory: URL

    /// The file of a language.
    package func file(_ language: String) -> URL { directory.appending(path: "\(language)/LC_MESSAGES/feedbell.mo") }

    /// Compiles the catalogues, and removes them after `body`.
    package static func with<Result>(_ body: (Catalogues) async throws -> Result) async throws -> Result {
        let directory = FileManager.default.temporaryDirectory.appending(path: "feedbell-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: directory) }
        let result = try await Subprocess.run(
            .name("sh"),
            arguments: [Checkout.root.appending(path: "packaging/build/messages").path, "--compile", directory.path],
            output: .discarded,
            error: .string(limit: 1 << 16)
        )
        guard result.terminationStatus.isSuccess else { throw Failure(description: result.standardError) }
        return try await body(Catalogues(directory: directory))
    }

    private struct Failure: Error, CustomStringConvertible {
        let description: String
    }
}
