import FoundationEssentials
import Subprocess
import TestSupport
import Testing

/// The catalogues in packaging/build/po, read by GNU gettext's own programs.
@Suite("Catalogues", .timeLimit(.minutes(5))) struct CatalogueTests {
    @Test("Each catalogue has every message of the sources, with its placeholders") func complete() async throws {
        let result = try await Subprocess.run(
            .name("sh"),
            arguments: [Checkout.root.appending(path: "packaging/build/messages").path, "--check"],
            output: .string(limit: 1 << 16),
            error: .string(limit: 1 << 16)
        )
        #expect(result.terminationStatus.isSuccess, "\(result.standardOutput)\(result.standardError)")
        #expect(result.standardError == "")
    }

    @Test("There is a catalogue for each of these languages, and no other") func languages() throws {
        let directory = Checkout.root.appending(path: "packaging/build/po").path
        let files = try FileManager.default.contentsOfDirectory(atPath: directory).filter { $0.hasSuffix(".po") }
        #expect(files.sorted() == Catalogues.languages.map { $0 + ".po" })
    }

    @Test(
        "Weekdays are written as in a sentence",
        arguments: [("de", "Montag"), ("es", "lunes"), ("fr", "lundi"), ("hi", "सोमवार"), ("ja", "月曜日")]
    )
    func weekdays(language: String, monday: String) async throws {
        try await Catalogues.with { catalogues in
            let result = try await Subprocess.run(
                .name("gettext"),
                arguments: ["feedbell", "Monday"],
                environment: .inherit.updating(catalogues.environment(language)),
                output: .string(limit: 100)
            )
            #expect(result.standardOutput == monday)
        }
    }

    private static let numbers = [0, 1, 2, 5, 21, 1_000]

    @Test(
        "The number chooses the form of the language",
        arguments: [
            ("en", "notification", "notifications", [1]), ("de", "Benachrichtigung", "Benachrichtigungen", [1]),
            ("es", "notificación nueva", "notificaciones nuevas", [1]), ("hi", "सूचना", "सूचनाएँ", [0, 1]),
            ("fr", "notification", "notifications", [0, 1]), ("ja", "件", "件", []),
        ]
    )
    func plurals(language: String, singular: String, plural: String, singularNumbers: [Int]) async throws {
        try await Catalogues.with { catalogues in
            for number in Self.numbers {
                let arguments = ["feedbell", "{count} new notification", "{count} new notifications", "\(number)"]
                let result = try await Subprocess.run(
                    .name("ngettext"),
                    arguments: Arguments(arguments),
                    environment: .inherit.updating(catalogues.environment(language)),
                    output: .string(limit: 1 << 16)
                )
                let word = singularNumbers.contains(number) ? singular : plural
                #expect(result.standardOutput.hasSuffix(" " + word), "\(language) \(number): \(result.standardOutput)")
            }
        }
    }
}
