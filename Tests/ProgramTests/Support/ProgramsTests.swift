import AgentTestSupport
import Subprocess
import Testing

@Suite("Running programs in tests") struct ProgramsTests {
    @Test("Programs that end without reading their input are run to their ends") func unreadInput() async throws {
        try await withThrowingTaskGroup(of: Programs.Outcome.self) { group in
            for size in 0..<100 {
                // Up to more than a pipe holds.
                group.addTask { try await Programs.run("true", [], input: String(repeating: "x", count: size << 10)) }
            }
            for try await outcome in group { #expect(outcome.status.isSuccess) }
        }
    }
}
