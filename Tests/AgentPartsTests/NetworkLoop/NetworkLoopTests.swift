import Basics
import CLinux
import DBus
import Glibc
import TestSupport
import Testing

@testable import feedbell_agent

/// The agent's loop watches descriptors that are not SwiftNIO's.
@Suite(.serialized, .timeLimit(.minutes(5))) struct NetworkLoopTests {
    /// Runs on a thread of its own until the test program ends, as in the agent.
    private static let loop = {
        let loop = NetworkLoop()
        Task { await runBlocking { loop.run() } }
        return loop
    }()

    private var loop: NetworkLoop { Self.loop }

    /// Runs a function on the thread of the loop.
    private func onLoop<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
        await withCheckedContinuation { continuation in loop.execute { continuation.resume(returning: body()) } }
    }

    /// Watches a socket as the bus does, on the thread of the loop.
    private func watch(_ socket: Int32, _ report: @escaping @Sendable () -> Void) async throws -> any DescriptorWatch {
        try await onLoop { [loop] in Result { try loop.watch(socket, report) } }.get()
    }

    /// Waits until the loop has looked at its descriptors.
    private func drain() async {
        let arrival = Completion()
        let descriptor = feedbell_eventfd()
        var one: UInt64 = 1
        _ = write(descriptor, &one, 8)
        let watch = try? loop.watch(descriptor, arrival.finish)
        await arrival.wait()
        watch?.cancel()
        close(descriptor)
        await onLoop {}
    }

    /// Discards the reports so far.
    private func skip(_ reports: Mailbox<String>) async {
        reports.send("marker")
        while let next = await reports.messages.next(), next != "marker" {}
    }

    @Test("Each arrival of data and the end are reported, those before the watch, too")
    func readiness() async throws {
        try await withSockets { own, other in
            let reports = Mailbox<Void>()
            #expect(write(other, "x", 1) == 1)
            let duplicate = dup(own)
            let watch = try await watch(duplicate) { reports.send() }
            close(duplicate)
            #expect(await reports.messages.next() != nil, "what came before")
            for _ in 0..<3 {
                await drain()
                #expect(write(other, "x", 1) == 1)
                #expect(await reports.messages.next() != nil)
            }
            await drain()
            shutdown(other, Int32(SHUT_WR))
            #expect(await reports.messages.next() != nil)
            watch.cancel()
        }
    }

    @Test("Space is reported while it is asked for, at once if there is some") func writability() async throws {
        try await withSockets { own, other in
            let reports = Mailbox<String>()
            let watch = try await watch(own) { reports.send("ready") }
            watch.setWritable(true)
            #expect(await reports.messages.next() == "ready", "there is space")
            watch.setWritable(false)
            var block = [UInt8](repeating: 0, count: 64 << 10)
            while write(own, &block, block.count) > 0 {}
            watch.setWritable(true)
            await drain()
            reports.send("full")
            #expect(await reports.messages.next() == "full")
            while read(other, &block, block.count) > 0 {}
            #expect(await reports.messages.next() == "ready")
            watch.cancel()
            watch.setWritable(true)
        }
    }

    @Test("A cancelled or released watch reports nothing more; a second one of the same socket does")
    func cancellation() async throws {
        try await withSockets { own, other in
            let reports = Mailbox<String>()
            let first = try await watch(own) { reports.send("first") }
            var second: (any DescriptorWatch)? = try await watch(own) { reports.send("second") }
            #expect(write(other, "x", 1) == 1)
            var all: Set<String> = []
            while all.count < 2, let next = await reports.messages.next() { all.insert(next) }
            #expect(all == ["first", "second"])
            first.cancel()
            first.cancel()
            #expect(second != nil)
            second = nil
            await drain()
            await skip(reports)
            #expect(write(other, "x", 1) == 1)
            await drain()
            reports.send("marker")
            #expect(await reports.messages.next() == "marker")
        }
    }
}
