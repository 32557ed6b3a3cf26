import Basics
import TestSupport
import Testing

@testable import ClientKit

@Suite(.timeLimit(.minutes(5))) struct ConnectionSupervisorTests {
    /// A connection that stays open until its task is cancelled.
    private final class Connection: Sendable {
        private let log = Mailbox<String>()
        var events: Mailbox<String>.Messages { log.messages }

        func run() async {
            log.send("begun")
            await Completion().wait()
            log.send("ended")
        }

        func suspended() { log.send("suspended") }
    }

    private func running(_ body: (ConnectionSupervisor, Mailbox<String>.Messages) async throws -> Void) async throws {
        let (supervisor, connection) = (ConnectionSupervisor(), Connection())
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                await supervisor.run {
                    await connection.run()
                } suspended: {
                    connection.suspended()
                }
            }
            try await body(supervisor, connection.events)
            group.cancelAll()
        }
    }

    @Test("A suspended connection is started again") func suspendAndResume() async throws {
        try await running { supervisor, events in
            #expect(await events.next() == "begun")
            await supervisor.suspend()
            #expect(await events.next() == "ended")
            #expect(await events.next() == "suspended")
            await supervisor.suspend()
            await supervisor.restart()
            #expect(await events.next() == "begun")
            #expect(supervisor.isSuspended == false)
            await supervisor.restart()
            #expect(await events.next() == "ended")
            #expect(await events.next() == "begun")
        }
    }

    @Test("A connection that is suspended before it runs is not opened") func suspendedBeforeRun() async {
        let (supervisor, connection) = (ConnectionSupervisor(), Connection())
        await supervisor.suspend()
        await withTaskGroup { group in
            group.addTask {
                await supervisor.run {
                    await connection.run()
                } suspended: {
                    connection.suspended()
                }
            }
            #expect(await connection.events.next() == "suspended")
            group.cancelAll()
        }
    }

    @Test("After concurrent requests to suspend and restart, the last one decides") func concurrentRequests()
        async throws
    {
        try await running { supervisor, events in
            #expect(await events.next() == "begun")
            await withTaskGroup { group in
                for _ in 1...20 {
                    group.addTask { await supervisor.suspend() }
                    group.addTask { await supervisor.restart() }
                }
            }
            await supervisor.restart()
            await supervisor.suspend()
            while try #require(await events.next()) != "suspended" {}
            #expect(supervisor.isSuspended)
        }
    }

    @Test("A wait for the end can be cancelled") func cancelledWait() async throws {
        let supervisor = ConnectionSupervisor()
        let end = Completion()
        let begun = Completion()
        await withTaskGroup { group in
            group.addTask {
                await supervisor.run {
                    begun.finish()
                    // It ignores cancellation.
                    await Task.detached { await end.wait() }.value
                } suspended: {
                }
            }
            await begun.wait()
            await withTaskGroup { waiting in
                waiting.addTask { await supervisor.suspend() }
                waiting.cancelAll()
            }
            #expect(supervisor.isSuspended)
            end.finish()
            group.cancelAll()
        }
    }

    @Test("A connection that ends by itself is not opened again") func endedConnection() async {
        let supervisor = ConnectionSupervisor()
        await supervisor.run {
        } suspended: {
        }
        await supervisor.suspend()
    }
}
