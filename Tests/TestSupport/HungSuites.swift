import Synchronization
package import Testing

/// The suites of which a test has hung: it saw nothing new for a minute, or exceeded its time limit. Their other tests
/// are not worth the time.
package enum HungSuites {
    /// The name of the first test that hung, by the file of its suite.
    private static let firstTests = Mutex<[String: String]>([:])

    /// Runs a test, or cancels it if another one of its suite has hung. `packaging/test` lists these.
    package static func unlessHung(_ test: Test, _ body: @concurrent @Sendable () async throws -> Void) async throws {
        let suite = test.sourceLocation.fileID
        if let first = firstTests.withLock({ $0[suite] }) { try Test.cancel("\(first) of this suite has hung") }
        defer { if Task.isCancelled { firstTests.withLock { $0[suite] = $0[suite] ?? test.name } } }
        try await body()
    }
}
