import Basics
import DBus
import Glibc
import Synchronization
import TestSupport
import Testing

/// The loop that the library brings, on a thread of its own.
@Suite(.timeLimit(.minutes(5))) struct PollLoopTests {
    /// Runs `body` with a loop, and stops the loop after it.
    private func withLoop(_ body: (PollLoop) async throws -> Void) async rethrows {
        let loop = PollLoop()
        loop.start()
        defer { loop.stop() }
        try await body(loop)
    }

    /// The reports of handlers and work, in order.
    private struct Reports<Report: Sendable> {
        private let mailbox = Mailbox<Report>()

        var send: @Sendable (Report) -> Void { { [mailbox] in mailbox.send($0) } }

        func next() async -> Report? { await mailbox.messages.next() }

        func next(_ count: Int) async -> [Report] {
            var all: [Report] = []
            while all.count < count, let report = await next() { all.append(report) }
            return all
        }
    }

    /// Waits until everything that is in the queue now was run.
    private func drain(_ loop: PollLoop) async {
        await withCheckedContinuation { continuation in loop.execute { continuation.resume() } }
    }

    // MARK: Work

    @Test("Work is run in the order of its arrival, and what it enqueues after it") func order() async {
        let reports = Reports<Int>()
        let report = reports.send
        let loop = PollLoop()
        for number in 0..<100 {
            loop.execute {
                report(number)
                loop.execute { report(100 + number) }
            }
        }
        loop.start()
        #expect(await reports.next(200) == Array(0..<200))
        loop.stop()
    }

    @Test("Work from several threads is run once each, on the thread of the loop") func severalThreads() async {
        await withLoop { loop in
            let reports = Reports<Bool>()
            let report = reports.send
            await withDiscardingTaskGroup { group in
                for _ in 0..<8 {
                    group.addTask {
                        for _ in 0..<500 { loop.execute { report(loop.isIsolatingCurrentContext() == true) } }
                    }
                }
            }
            #expect(await reports.next(4000) == [Bool](repeating: true, count: 4000))
            #expect(loop.isIsolatingCurrentContext() == false)
        }
    }

    private actor Counter {
        private let loop: PollLoop
        private var count = 0

        nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

        init(on loop: PollLoop) { self.loop = loop }

        func add() -> (count: Int, isOnLoop: Bool) {
            count += 1
            return (count, loop.isIsolatingCurrentContext() == true)
        }

        nonisolated func addFromLoop() -> Int { assumeIsolated { $0.add().count } }
    }

    @Test("An actor whose executor is the loop runs on it") func actors() async {
        await withLoop { loop in
            let counter = Counter(on: loop)
            #expect(await counter.add() == (1, true))
            let reports = Reports<Int>()
            let report = reports.send
            loop.execute { report(counter.addFromLoop()) }
            #expect(await reports.next() == 2)
        }
    }

    @Test("dispatch() runs a function at once on the loop, and after earlier work from elsewhere")
    func dispatching() async {
        await withLoop { loop in
            let reports = Reports<String>()
            let report = reports.send
            loop.execute {
                loop.execute { report("enqueued") }
                loop.dispatch { report("dispatched") }
                report("after")
            }
            #expect(await reports.next(3) == ["dispatched", "after", "enqueued"])
            loop.execute { report("first") }
            loop.dispatch { report("second \(loop.isIsolatingCurrentContext() == true)") }
            #expect(await reports.next(2) == ["first", "second true"])
        }
    }

    @Test("stop() ends run(), also while work enqueues more work") func stopping() async {
        let loop = PollLoop()
        let rounds = Atomic(0)
        @Sendable func again() {
            rounds.add(1, ordering: .relaxed)
            loop.execute(again)
        }
        loop.execute(again)
        loop.execute { loop.stop() }
        #expect(await runBlocking { loop.run() } != nil)
        #expect(rounds.load(ordering: .relaxed) > 0)
        let idle = PollLoop()
        async let end: Void? = runBlocking { idle.run() }
        await drain(idle)
        idle.stop()
        #expect(await end != nil)
    }

    @Test("The shared loop is the main one, and has its thread once it is used") func shared() async {
        #expect(PollLoop.shared === PollLoop.main)
        await drain(PollLoop.shared)
    }

    @Test("What runs before waiting may add more of it, which does not wait for other work") func endOfTurn() async {
        await withLoop { loop in
            let reports = Reports<String>()
            let report = reports.send
            loop.execute {
                loop.executeBeforeWaiting {
                    report("first")
                    loop.executeBeforeWaiting { report("second") }
                }
                loop.execute { report("work") }
            }
            #expect(await reports.next(3) == ["work", "first", "second"])
        }
    }

    // MARK: Timers

    @Test("Delays end in the order of their deadlines, equal ones in the order of arrival") func timers() async {
        let reports = Reports<String>()
        let report = reports.send
        let loop = PollLoop()
        // Before the start, so that all are set when the first one ends.
        loop.execute(after: .milliseconds(30)) { report("30 ms") }
        loop.execute(after: .milliseconds(10)) { report("10 ms") }
        loop.execute(after: .milliseconds(20)) { report("20 ms") }
        loop.execute(after: .nanoseconds(1)) { report("1 ns") }
        loop.execute { report("now") }
        loop.execute(after: .zero) { report("zero") }
        loop.execute(after: .seconds(-5)) { report("negative") }
        loop.execute(after: .seconds(Int64.min)) { report("minimum") }
        loop.start()
        #expect(
            await reports.next(8) == ["now", "zero", "negative", "minimum", "1 ns", "10 ms", "20 ms", "30 ms"]
        )
        loop.stop()
    }

    @Test("A huge delay never ends, and does not disturb others") func hugeDelays() async {
        await withLoop { loop in
            let reports = Reports<String>()
            let report = reports.send
            for delay in [Duration.seconds(Int64.max), .seconds(1 << 40), .seconds(86_400 * 60)] {
                loop.execute(after: delay) { report("\(delay)") }
            }
            loop.execute(after: .milliseconds(5)) { report("5 ms") }
            #expect(await reports.next() == "5 ms")
        }
    }

    // MARK: Descriptors

    @Test("Each arrival of data is reported, also after the descriptor of the caller was closed")
    func readiness() async throws {
        try await withLoop { loop in
            try await withSockets { own, other in
                let reports = Reports<String>()
                let report = reports.send
                let duplicate = dup(own)
                let watch = try loop.watch(duplicate) { report("ready") }
                close(duplicate)
                for _ in 0..<3 {
                    // Data that was not read is not reported again, and new data is.
                    #expect(write(other, "x", 1) == 1)
                    #expect(await reports.next() == "ready")
                    await drain(loop)
                }
                loop.execute { report("end") }
                #expect(await reports.next() == "end", "reported without new data")
                shutdown(other, Int32(SHUT_WR))
                #expect(await reports.next() == "ready")
                watch.cancel()
            }
        }
    }

    @Test("Data that is there before the watch is reported") func earlyData() async throws {
        try await withLoop { loop in
            try await withSockets { own, other in
                let reports = Reports<Void>()
                let report = reports.send
                #expect(write(other, "x", 1) == 1)
                let watch = try loop.watch(own) { report(()) }
                #expect(await reports.next() != nil)
                watch.cancel()
            }
        }
    }

    @Test("Writing is reported while it is asked for, at once if it is possible") func writability() async throws {
        try await withLoop { loop in
            try await withSockets { own, other in
                let reports = Reports<String>()
                let report = reports.send
                let watch = try loop.watch(own) { report("ready") }
                var block = [UInt8](repeating: 0, count: 64 << 10)
                while write(own, &block, block.count) > 0 {}
                watch.setWritable(true)
                await drain(loop)
                loop.execute { report("full") }
                #expect(await reports.next() == "full")
                while read(other, &block, block.count) > 0 {}
                #expect(await reports.next() == "ready")
                watch.setWritable(false)
                await drain(loop)
                while write(own, &block, block.count) > 0 {}
                while read(other, &block, block.count) > 0 {}
                // Later than any event of the reading above.
                #expect(write(other, "x", 1) == 1)
                loop.execute { report("end") }
                var all: [String] = []
                while all.last != "end", let next = await reports.next() { all.append(next) }
                watch.cancel()
                watch.setWritable(true)
            }
        }
    }

    @Test("A cancelled watch, and a released one, reports nothing more") func cancellation() async throws {
        try await withLoop { loop in
            try await withSockets { own, other in
                let reports = Reports<String>()
                let report = reports.send
                let cancelled = try loop.watch(own) { report("cancelled") }
                var released: (any DescriptorWatch)? = try loop.watch(own) { report("released") }
                let watch = try loop.watch(own) { report("ready") }
                cancelled.cancel()
                cancelled.cancel()
                #expect(released != nil)
                released = nil
                #expect(write(other, "x", 1) == 1)
                #expect(await reports.next() == "ready")
                await drain(loop)
                loop.execute { report("end") }
                #expect(await reports.next() == "end")
                watch.cancel()
            }
        }
    }

    @Test("Descriptors are looked at under a load of work that never ends") func load() async throws {
        try await withLoop { loop in
            try await withSockets { own, other in
                let reports = Reports<Void>()
                let report = reports.send
                let isOver = Atomic(false)
                @Sendable func again() { if !isOver.load(ordering: .relaxed) { loop.execute(again) } }
                for _ in 0..<100 { loop.execute(again) }
                let watch = try loop.watch(own) { report(()) }
                loop.execute(after: .milliseconds(1)) { report(()) }
                #expect(write(other, "x", 1) == 1)
                #expect(await reports.next(2).count == 2)
                isOver.store(true, ordering: .relaxed)
                watch.cancel()
            }
        }
    }

    @Test("A file on a disk cannot be watched") func diskFile() async throws {
        let descriptor = open("/proc/self/exe", O_RDONLY | O_CLOEXEC)
        defer { close(descriptor) }
        await withLoop { loop in
            let error = #expect(throws: DBusError.self) { try loop.watch(descriptor) {} }
            #expect(error?.name == .notSupported)
            #expect(throws: DBusError.self) { try loop.watch(-1) {} }
        }
    }
}
