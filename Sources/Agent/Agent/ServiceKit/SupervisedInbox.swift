package import Basics
package import ClientKit
package import Inbox

/// An inbox whose connection a ``ClientKit/ConnectionSupervisor`` restarts and suspends.
package protocol SupervisedInbox: InboxService {
    var link: ConnectionSupervisor { get }
    /// nil: the account has no token from a source.
    var token: AccountToken? { get }
}

extension SupervisedInbox {
    @concurrent  // returns to the caller's executor: CallerExecutorTests
    package func suspend() async { await link.suspend() }

    @concurrent  // returns to the caller's executor: CallerExecutorTests
    package func reconnectNow() async { await link.restart() }

    @concurrent  // returns to the caller's executor: CallerExecutorTests
    package func setNetworkUnavailable(_ isUnavailable: Bool) async { await link.setNetworkUnavailable(isUnavailable) }

    /// Runs the connection, and reports when it is suspended or waits for the token.
    @concurrent  // returns to the caller's executor: CallerExecutorTests
    package func supervise(
        now: @escaping @Sendable () -> Timestamp,
        _ report: @escaping @Sendable (ServiceEvent) -> Void,
        _ body: @escaping @Sendable () async -> Void
    ) async {
        token?.observe({ report(.delayed($0)) }, refused: { report(.refused($0)) })
        await link.run(body) { report(.connection(Connection(state: .suspended, since: now()))) }
        // The observer retains the account.
        token?.observe(nil)
    }

    /// The connection as the user sees it: suspended on request, without a token, and without a network for a reason of
    /// this computer.
    package func supervised(_ connection: Connection, now: Timestamp) -> Connection {
        if link.isSuspended { return Connection(state: .suspended, since: now) }
        if connection.state == .unauthorized {
            var connection = connection
            if let token { connection.failure = token.explained(connection.failure) }
            return connection
        }
        guard let failure = connection.failure, failure.kind == .transient, link.isNetworkAway else {
            return connection
        }
        var connection = connection
        connection.failure?.sentence = "This computer seems to have no network. \(failure.sentence)"
        return connection
    }
}
