package import Sandbox
package import Testing

extension Sandbox {
    /// Returns the first non-nil result of `fact`, which runs now and after each change of the state.
    ///
    /// - Throws: `CancellationError` when the task is cancelled or the sandbox ends.
    @discardableResult
    package func wait<Fact: Sendable>(
        sourceLocation: SourceLocation = #_sourceLocation,
        for fact: @Sendable (SandboxState) -> Fact?
    ) async throws -> Fact {
        let seen = SeenValues()
        return try await waiting(
            for: "a fact of the sandbox",
            seen: { seen.description },
            sourceLocation: sourceLocation
        ) {
            try await firstFact { state in
                if let found = fact(state) { return found }
                let last = state.requests.suffix(5).map { "\($0.number) \($0.method) \($0.path) \($0.status)" }
                seen.note("connections \(state.joinedSockets), last requests \(last)")
                return nil
            }
        }
    }

    /// The first matching request with a number above `after`, past requests included.
    @discardableResult
    package func waitForRequest(
        after: Int = 0,
        sourceLocation: SourceLocation = #_sourceLocation,
        matching: @Sendable (LoggedRequest) -> Bool = { _ in true }
    ) async throws -> LoggedRequest {
        try await wait(sourceLocation: sourceLocation) { state in
            state.requests.first { $0.number > after && matching($0) }
        }
    }

    /// The first connection that receives events with a number above `after`.
    @discardableResult
    package func waitForConnection(
        after: Int = 0,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> SocketID {
        try await wait(sourceLocation: sourceLocation) { state in state.joinedSockets.first { $0 > after } }
    }

    /// Waits until no connection is open.
    package func waitForNoConnections(sourceLocation: SourceLocation = #_sourceLocation) async throws {
        try await wait(sourceLocation: sourceLocation) { state in state.hasOpenSockets ? nil : true }
    }
}
