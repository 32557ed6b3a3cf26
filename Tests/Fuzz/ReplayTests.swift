import Foundation
import FuzzTargets
import Subprocess
import TestSupport
import Testing

/// Every input that `packaging/checks/fuzz` has kept goes through its target again, those among them that once broke
/// something.
struct ReplayTests {
    @Test("Every input of the corpus passes its target's check", arguments: FuzzTarget.all) func replays(
        target: FuzzTarget
    ) async throws {
        let inputs = try await Self.inputs(of: target.name)
        #expect(inputs.count >= 5, "the corpus of \(target.name) is missing")
        for (name, bytes) in inputs {
            do { try target.check(bytes) } catch { Issue.record("\(target.name)/\(name): \(error)") }
        }
    }

    /// The same inputs with other numbers, among them those at the limits, and with lines repeated, left out and moved.
    @Test(
        "Inputs with numbers at the limits pass their target's check",
        arguments: ["popups", "rows", "answers", "events", "magicbell-answers", "magicbell-pages"]
    )
    func numbersAtTheLimits(name: String) async throws {
        let target = try #require(FuzzTarget.named(name))
        var chance = Chance()
        for (input, bytes) in try await Self.inputs(of: name) {
            for _ in 0..<(4_000 / (bytes.count + 100) + 1) {
                let variant = chance.variant(of: bytes)
                do { try target.check(variant) } catch {
                    Issue.record(
                        "\(name)/\(input): \(error)\n\(String(decoding: variant, as: UTF8.self))"
                    )
                }
            }
        }
    }

    @Test("The corpus has an archive for each target") func archivesAndTargets() throws {
        let archives = try FileManager.default.contentsOfDirectory(atPath: Self.corpus.path(percentEncoded: false))
        #expect(Set(archives) == Set(FuzzTarget.all.map { "\($0.name).tar.gz" }))
    }

    private static var corpus: URL {
        get throws { try #require(Bundle.module.url(forResource: "Corpus", withExtension: nil)) }
    }

    /// The inputs of a target, in the order of their names.
    private static func inputs(of target: String) async throws -> [(name: String, bytes: [UInt8])] {
        let archive = try corpus.appending(path: "\(target).tar.gz").path(percentEncoded: false)
        let folder = FileManager.default.temporaryDirectory.appending(path: "corpus-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let arguments = ["--extract", "--file", archive, "--directory", folder.path(percentEncoded: false)]
        let tar = try await run(.name("tar"), arguments: .init(arguments), output: .discarded)
        #expect(tar.terminationStatus.isSuccess)
        return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .map { ($0.lastPathComponent, try Array(Data(contentsOf: $0))) }
            .sorted { $0.0 < $1.0 }
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
