import Store

extension StateStore {
    /// Waits until the ids of the recorded popups, in ascending order, meet a condition.
    func waitForPopups(_ isMet: @Sendable ([UInt32]) -> Bool) async throws {
        while try !isMet(popups().map(\.id)) { try await Task.sleep(for: .milliseconds(5)) }
    }
}
