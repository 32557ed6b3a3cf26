import Agent

extension StateStore {
    /// Waits until the ids of the recorded popups, in ascending order, meet a condition.
    func waitForPopups(_ isMet: @Sendable ([UInt32]) -> Bool) async throws {
        while try !isMet(popups().values.flatMap(\.keys).sorted()) { try await Task.sleep(for: .milliseconds(5)) }
    }
}
