import Subprocess
import TestSupport
import Testing

/// Clients of other authors, each in a process of its own.
enum ClientPrograms {
    /// The lines that a script prints while `body` runs. Its argument is `url`.
    @discardableResult
    static func run(
        _ script: String,
        _ url: String,
        _ body: @escaping @Sendable () async throws -> Void = {}
    ) async throws -> [String] {
        let interpreter = try Checkout.python
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await body() }
            let result = try await Subprocess.run(
                .name("env"),
                arguments: [interpreter, "-c", script, url],
                output: .string(limit: 1 << 20),
                error: .string(limit: 1 << 20)
            )
            try await group.waitForAll()
            #expect(result.terminationStatus.isSuccess, "\(result.standardError)")
            return result.standardOutput.split(separator: "\n").map(String.init)
        }
    }
}
