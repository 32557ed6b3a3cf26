import Agent
import TestSupport
import Testing

extension StateStore {
    /// Waits until the ids of the recorded popups, in ascending order, meet a condition.
    func waitForPopups(
        sourceLocation: SourceLocation = #_sourceLocation,
        _ isMet: @Sendable ([UInt32]) -> Bool
    ) async throws {
        try await waiting(
            for: "the recorded popups",
            sourceLocation: sourceLocation,
            seeing: { try popups().values.flatMap(\.keys).sorted() },
            until: isMet
        )
    }
}
