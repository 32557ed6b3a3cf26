package import FoundationEssentials
import Glibc
package import Subprocess

/// The compiled catalogues of messages, in a directory of their own.
package struct Catalogues: Sendable {
    /// The languages of `packaging/build/po`, besides English.
    package static let languages = ["de", "es", "fr", "hi", "ja"]

    /// The value of TEXTDOMAINDIR.
    package let directory: URL

    /// A locale in which messages are translated.
    private let locale: String

    /// The variables of the environment that make a program use this language.
    package func environment(_ language: String) -> [Environment.Key: String?] {
        var environment: [Environment.Key: String?] = [
            "LANGUAGE": language, "LC_ALL": locale, "TEXTDOMAINDIR": directory.path,
        ]
        if locale == Self.ownLocale { environment["LOCPATH"] = directory.path }
        return environment
    }

    /// The file of a language.
    package func file(_ language: String) -> URL { directory.appending(path: "\(language)/LC_MESSAGES/feedbell.mo") }

    /// Compiles the catalogues, and removes them after `body`.
    package static func with<Result>(_ body: (Catalogues) async throws -> Result) async throws -> Result {
        let directory = FileManager.default.temporaryDirectory.appending(path: "feedbell-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: directory) }
        let script = Checkout.root.appending(path: "packaging/build/messages").path
        try await run("sh", [script, "--compile", directory.path])
        if !plainLocaleHasLanguages {
            try await run("localedef", ["--no-archive", "-i", "C", "-f", "UTF-8", "\(directory.path)/\(ownLocale)"])
        }
        let locale = plainLocaleHasLanguages ? "C.UTF-8" : ownLocale
        return try await body(Catalogues(directory: directory, locale: locale))
    }

    private static let ownLocale = "plain.UTF-8"

    /// From glibc 2.37 on, messages in C.UTF-8 are not translated, as in C.
    private static let plainLocaleHasLanguages: Bool = {
        var version = [CChar](repeating: 0, count: 32)
        confstr(Int32(_CS_GNU_LIBC_VERSION), &version, version.count)
        let numbers = String(decoding: version.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self)
            .split { !$0.isNumber }.compactMap { Int($0) }
        return numbers.lexicographicallyPrecedes([2, 37])
    }()

    private static func run(_ program: String, _ arguments: [String]) async throws {
        let result = try await Subprocess.run(
            .name(program),
            arguments: Arguments(arguments),
            output: .discarded,
            error: .string(limit: 1 << 16)
        )
        guard result.terminationStatus.isSuccess else { throw Failure(description: result.standardError) }
    }

    private struct Failure: Error, CustomStringConvertible {
        let description: String
    }
}
