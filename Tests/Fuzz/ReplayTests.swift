import Foundation
import FuzzTargets
import Testing

/// Every input that `packaging/fuzz` has kept goes through its target again, those among them that once broke something.
struct ReplayTests {
    @Test(arguments: FuzzTarget.all) func replays(target: FuzzTarget) throws {
        let folder = try Self.corpus.appending(path: target.name)
        let inputs = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        #expect(inputs.count >= 5, "the corpus of \(target.name) is missing")
        for input in inputs {
            let bytes = try Array(Data(contentsOf: input))
            do { try target.check(bytes) } catch {
                Issue.record("\(target.name)/\(input.lastPathComponent): \(error)")
            }
        }
    }

    @Test func everyFolderHasItsTarget() throws {
        let folders = try FileManager.default.contentsOfDirectory(atPath: Self.corpus.path(percentEncoded: false))
        #expect(Set(folders) == Set(FuzzTarget.all.map(\.name)))
    }

    private static var corpus: URL {
        get throws { try #require(Bundle.module.url(forResource: "Corpus", withExtension: nil)) }
    }
}

extension FuzzTarget: CustomTestStringConvertible {
    package var testDescription: String { name }
}
