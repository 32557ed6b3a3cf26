import Foundation
import FuzzTargets
import TestSupport
import Testing

/// Every input that `packaging/fuzz` has kept goes through its target again, those among them that once broke
/// something.
struct ReplayTests {
    @Test("Every input of the corpus passes its target's check", arguments: FuzzTarget.all) func replays(
        target: FuzzTarget
    ) throws {
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

    /// The same inputs with other numbers, among them those at the limits, and with lines repeated, left out and moved.
    @Test(
        "Inputs with numbers at the limits pass their target's check",
        arguments: ["popups", "rows", "answers", "events", "magicbell-answers", "magicbell-pages"]
    )
    func numbersAtTheLimits(name: String) throws {
        let target = try #require(FuzzTarget.named(name))
        let folder = try Self.corpus.appending(path: name)
        var chance = Chance()
        for input in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .sorted(by: { $0.path < $1.path })
        {
            let bytes = try Array(Data(contentsOf: input))
            for _ in 0..<(4_000 / (bytes.count + 100) + 1) {
                let variant = chance.variant(of: bytes)
                do { try target.check(variant) } catch {
                    Issue.record(
                        "\(name)/\(input.lastPathComponent): \(error)\n\(String(decoding: variant, as: UTF8.self))"
                    )
                }
            }
        }
    }

    @Test("The corpus has a folder for each target") func foldersAndTargets() throws {
        let folders = try FileManager.default.contentsOfDirectory(atPath: Self.corpus.path(percentEncoded: false))
        #expect(Set(folders) == Set(FuzzTarget.all.map(\.name)))
    }

    private static var corpus: URL {
        get throws { try #require(Bundle.module.url(forResource: "Corpus", withExtension: nil)) }
    }
}

/// Random numbers that are the same in every run.
private struct Chance {
    private var generator = SeededGenerator(seed: 8)

    private static let numbers = [
        "-9223372036854775808", "-1", "0", "1", "1754346745613", "1754346745614", "1754346745613000",
        "1754346745613000000", "9223372036854775807", "253402300799999", "60000", "600000",
    ]

    mutating func variant(of input: [UInt8]) -> [UInt8] {
        var lines = input.split(separator: UInt8(ascii: "\n")).map { numbers(in: $0) }
        for _ in 0..<Int.random(in: 0...4, using: &generator) where !lines.isEmpty {
            let from = Int.random(in: lines.indices, using: &generator)
            let to = Int.random(in: lines.indices, using: &generator)
            switch Int.random(in: 0..<3, using: &generator) {
            case 0: lines.insert(lines[from], at: to)
            case 1: lines.swapAt(from, to)
            default: lines.remove(at: from)
            }
        }
        return Array(lines.joined(separator: [UInt8(ascii: "\n")]))
    }

    private mutating func numbers(in line: ArraySlice<UInt8>) -> [UInt8] {
        var (result, number): ([UInt8], [UInt8]) = ([], [])
        for byte in line + [UInt8(ascii: "\n")] {
            if byte == UInt8(ascii: "-") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) {
                number.append(byte)
                continue
            }
            let isReplaced = number.count > 3 && Int.random(in: 0..<3, using: &generator) == 0
            result += isReplaced ? Array((Self.numbers.randomElement(using: &generator) ?? "0").utf8) : number
            number = []
            result.append(byte)
        }
        return Array(result.dropLast())
    }
}

extension FuzzTarget: CustomTestStringConvertible {
    package var testDescription: String { name }
}
