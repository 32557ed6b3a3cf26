import TestSupport
import Testing

@testable import ClientKit

@Suite(.timeLimit(.minutes(1))) struct LinkTests {
    /// Lives that last until they are cancelled.
    private final class Lives: Sendable {
        let news: AsyncStream<String>
        private let input: AsyncStream<String>.Continuation

        init() { (news, input) = AsyncStream.makeStream() }

        func live() async {
            input.yield("begun")
            let (forever, end) = AsyncStream<Never>.makeStream()
            for await _ in forever {}
            end.finish()
            input.yield("ended")
        }

        func suspended() { input.yield("suspended") }
    }

    private func running(_ body: (ConnectionSupervisor, AsyncStream<String>) async throws -> Void) async throws {
        let (link, lives) = (ConnectionSupervisor(), Lives())
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                await link.run {
                    await lives.live()
                } suspended: {
                    lives.suspended()
                }
            }
            try await body(link, lives.news)
            group.cancelAll()
        }
    }

    @Test("A suspended connection is started again") func suspendAndResume() async throws {
        try await running { link, news in
            #expect(await news.next() == "begun")
            await link.suspend()
            #expect(await news.next() == "ended")
            #expect(await news.next() == "suspended")
            await link.suspend()
            await link.restart()
            #expect(await news.next() == "begun")
            #expect(await link.isSuspended == false)
            await link.restart()
            #expect(await news.next() == "ended")
            #expect(await news.next() == "begun")
        }
    }

    @Test func suspendedBeforeItRuns() async {
        let (link, lives) = (ConnectionSupervisor(), Lives())
        await link.suspend()
        await withTaskGroup { group in
            group.addTask {
                await link.run {
                    await lives.live()
                } suspended: {
                    lives.suspended()
                }
            }
            #expect(await lives.news.next() == "suspended")
            group.cancelAll()
        }
    }

    @Test func resumedBeforeItIsDown() async throws {
        try await running { link, news in
            #expect(await news.next() == "begun")
            await withTaskGroup { group in
                for _ in 1...20 {
                    group.addTask { await link.suspend() }
                    group.addTask { await link.restart() }
                }
            }
            await link.restart()
            await link.suspend()
            while try #require(await news.next()) != "suspended" {}
            #expect(await link.isSuspended)
        }
    }

    @Test("A wait for the end can be cancelled") func cancelledWait() async throws {
        let link = ConnectionSupervisor()
        let (ends, end) = AsyncStream<Never>.makeStream()
        let (begins, begun) = AsyncStream<Void>.makeStream()
        await withTaskGroup { group in
            group.addTask {
                await link.run {
                    begun.yield()
                    // One that does not let itself be cancelled.
                    await Task.detached { for await _ in ends {} }.value
                } suspended: {
                }
            }
            _ = await begins.next()
            await withTaskGroup { waiting in
                waiting.addTask { await link.suspend() }
                waiting.cancelAll()
            }
            #expect(await link.isSuspended)
            end.finish()
            group.cancelAll()
        }
    }

    @Test("A connection that ends by itself is over") func endedConnection() async {
        let link = ConnectionSupervisor()
        await link.run {
        } suspended: {
        }
        await link.suspend()
    }
}
