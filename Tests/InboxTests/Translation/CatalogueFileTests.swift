import FoundationEssentials
import TestSupport
import Testing

@testable import VisibleText

@Suite("Files of catalogues", .timeLimit(.minutes(5))) struct CatalogueFileTests {
    @Test("A compiled catalogue is complete; none of its prefixes is") func prefixes() async throws {
        try await Catalogues.with { catalogues in
            for language in Catalogues.languages {
                let bytes = [UInt8](try Data(contentsOf: catalogues.file(language)))
                #expect(CatalogueFile.isComplete(bytes))
                #expect(CatalogueFile(path: catalogues.file(language).path) == .complete)
                for length in stride(from: 0, to: bytes.count, by: 97) + [bytes.count - 1] {
                    #expect(!CatalogueFile.isComplete(Array(bytes.prefix(length))), "\(language): \(length) bytes")
                }
            }
        }
    }

    @Test("A changed offset, length or count is found or harmless") func mutations() async throws {
        let bytes = try await Catalogues.with { [UInt8](try Data(contentsOf: $0.file("de"))) }
        for value: UInt8 in [0x7F, 0xFF] {
            for position in 0..<28 {
                var changed = bytes
                changed[position] = value
                // Bytes 6 and 7 are of the version, and an unused number of the hash table may grow a little.
                if position < 8 || position % 4 == 3 { #expect(!CatalogueFile.isComplete(changed), "\(position)") }
            }
            // The tables of texts.
            for position in stride(from: 28 + 3, to: 28 + 16 * 100, by: 4) {
                var changed = bytes
                changed[position] = value
                #expect(!CatalogueFile.isComplete(changed), "\(position)")
            }
        }
    }

    @Test("What is no catalogue is damaged, and what does not exist is missing") func others() async throws {
        #expect(CatalogueFile(path: "/nonexistent/feedbell.mo") == .missing)
        #expect(CatalogueFile(path: "/") == .damaged)
        #expect(CatalogueFile(path: "/dev/zero") == .damaged)
        #expect(!CatalogueFile.isComplete(Array(repeating: 0, count: 100)))
        #expect(!CatalogueFile.isComplete(Array("This is no catalogue, but longer than its header.".utf8)))
    }

    @Test(
        "A catalogue is looked for under the names of its locale",
        arguments: [
            ("de_AT.UTF-8@euro", nil, ["de_AT.UTF-8@euro", "de_AT.UTF-8", "de_AT", "de"]), ("fr", nil, ["fr"]),
            ("C.UTF-8", "de:pt_BR", ["de", "pt_BR", "pt", "C.UTF-8", "C"]), ("en_US", "", ["en_US", "en"]),
            ("C.UTF-8", "../x:../../y", ["C.UTF-8", "C"]),
        ] as [(String, String?, [String])]
    )
    func names(locale: String, preferred: String?, names: [String]) {
        #expect(Language.languages(locale: locale, preferred: preferred) == names)
    }
}

private func + (numbers: StrideTo<Int>, more: [Int]) -> [Int] { Array(numbers) + more }
