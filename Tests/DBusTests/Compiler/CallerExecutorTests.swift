import FoundationEssentials
import Subprocess
import Testing

/// A fault of the compiler, for which functions of `Sources` are `@concurrent`; a comment at each names this suite.
///
/// When the known issue is no longer recorded, the compiler has no such fault: remove them
/// (`git grep CallerExecutorTests Sources`) and this target.
@Suite("Optimized code returns to its caller's executor", .timeLimit(.minutes(5)))
struct CallerExecutorTests {
    private static let expected = "returned to the caller's executor\n"

    @Test("A function that inherits its isolation") func inheriting() async throws {
        let output = try await output(of: "inherit")
        withKnownIssue("The optimizer of Swift 6.3.1 removes the return from specialized functions") {
            #expect(output == Self.expected)
        }
    }

    @Test("A concurrent function") func concurrent() async throws {
        #expect(try await output(of: "concurrent") == Self.expected)
    }

    /// The output of the optimized program until it ends or traps.
    private func output(of function: String) async throws -> String {
        let directory = FileManager.default.temporaryDirectory.appending(path: "lost-hop-\(UUID())")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let source = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "LostHop.swift").path
        let program = directory.appending(path: "lost-hop").path
        let compilation = try await Subprocess.run(
            .name("swiftc"),
            arguments: ["-O", "-parse-as-library", "-swift-version", "6", source, "-o", program],
            output: .discarded,
            error: .string(limit: 1 << 16)
        )
        try #require(compilation.terminationStatus.isSuccess, "\(compilation.standardError)")
        return try await Subprocess.run(
            .name("env"),
            arguments: ["SWIFT_BACKTRACE=enable=no", program, function],
            output: .string(limit: 1 << 10),
            error: .discarded
        ).standardOutput
    }
}
