import Basics
import Glibc
import TestSupport
import Testing

@testable import DBus

/// Timeouts, cancellation, and a bus that stops or ends.
@Suite(.sessionBus, .timeLimit(.minutes(5))) struct LifetimeTests {
    /// A peer that never answers `Stop`, but answers everything else.
    private func withSilentPeer(_ body: (_ peer: BusName) async throws -> Void) async throws {
        let peer = try await Bus.connect(to: .address(SessionBus.address))
        var object = Clock.object()
        object.handle(Clock.stop) {}
        try await peer.export(object)
        // Without run() no handler runs.
        try await body(peer.uniqueName)
        await peer.close()
    }

    /// The error that `work` throws; `nil` if it throws none.
    private func failure(of work: () async throws -> Void) async -> DBusError? {
        do {
            try await work()
            return nil
        } catch {
            return error as? DBusError
        }
    }

    @Test("Timeouts are measured on the given clock") func timeout() async throws {
        try await withSilentPeer { (peer) async throws in
            let time = ManualClock()
            try await withBus(clock: time) { (bus: Bus) async throws in
                // run() has started, so that one sleep serves all calls.
                let changes = try await bus.nameOwnerChanges(of: peer)
                _ = await changes.next()
                let silent = Proxy(bus, peer, Clock.path)
                async let late = failure(of: { try await silent.call(Clock.stop, timeout: .seconds(100)) })
                async let early = failure(of: { try await silent.call(Clock.stop, timeout: .seconds(10)) })
                await time.sleeper(for: .seconds(10))
                time.advance(by: .seconds(10))
                let error = await early
                #expect(error?.name == .timeout)
                #expect(try await silent.get(Clock.alarms) == 0)
                // That call may have started after the other one had ended.
                time.advance(by: await time.sleeper(within: .seconds(90) ... .seconds(100)))
                let second = await late
                #expect(second?.name == .timeout)
            }
        }
    }

    @Test("A call times out while run() is not running") func timeoutWithoutRun() async throws {
        try await withSilentPeer { (peer) async throws in
            let time = ManualClock()
            let bus = try await Bus.connect(to: .address(SessionBus.address), clock: time)
            async let call = failure(of: {
                try await Proxy(bus, peer, Clock.path).call(Clock.stop, timeout: .seconds(10))
            })
            await time.sleepers(1)
            time.advance(by: .seconds(10))
            let error = await call
            #expect(error?.name == .timeout)
            await bus.close()
        }
    }

    @Test("Cancellation discards the pending call") func cancellation() async throws {
        try await withSilentPeer { (peer) async throws in
            try await withBus { (bus: Bus) async throws in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { try await Proxy(bus, peer, Clock.path).call(Clock.stop) }
                    _ = try await bus.nameOwner(of: peer)
                    group.cancelAll()
                    let error = await failure(of: { try await group.waitForAll() })
                    #expect(error?.name == .cancelled)
                }
                #expect(try await Proxy(bus, peer, Clock.path).get(Clock.alarms) == 0)
            }
        }
    }

    @Test("A reply after the timeout is discarded") func lateReply() async throws {
        let (gate, open) = AsyncStream.makeStream(of: Void.self)
        let time = ManualClock()
        try await withBus { (peer: Bus) async throws in
            var object = Clock.object()
            object.handle(Clock.stop) { for await _ in gate { break } }
            try await peer.export(object)
            let name = await peer.uniqueName
            try await withBus(clock: time) { (bus: Bus) async throws in
                let silent = Proxy(bus, name, Clock.path)
                async let call = failure(of: { try await silent.call(Clock.stop, timeout: .seconds(1)) })
                await time.sleeper(for: .seconds(1))
                time.advance(by: .seconds(1))
                let error = await call
                #expect(error?.name == .timeout)
                open.yield()
                let alarms = try await silent.get(Clock.alarms)
                #expect(alarms == 0)
                #expect(try await silent.get(Clock.model) == "brass")
            }
        }
    }

    @Test("The end of the bus ends all calls and streams, and later calls fail") func lostBus() async throws {
        let bus = try await Bus.connect(to: .address(SessionBus.address))
        try await withSilentPeer { (peer) async throws in
            let signals = try await bus.signals(matching: MatchRule())
            let owners = try await bus.nameOwnerChanges(of: Clock.busName)
            async let run = failure(of: { try await bus.run() })
            async let call = failure(of: { try await Proxy(bus, peer, Clock.path).call(Clock.stop) })
            _ = try await bus.nameOwner(of: peer)
            kill(SessionBus.processID, SIGKILL)
            let error = await run
            #expect(error?.name == .disconnected)
            let failure = await call
            #expect(failure?.name == .disconnected || failure?.name == .noReply)
            for await _ in signals {}
            for await _ in owners {}
        }
        let later = await #expect(throws: DBusError.self) { try await bus.nameOwner(of: Clock.busName) }
        #expect(later?.name == .disconnected)
        #expect(await bus.isClosed)
        await #expect(throws: DBusError.self) { try await bus.export(Clock.object()) }
        await #expect(throws: DBusError.self) { try await bus.signals(matching: MatchRule()) }
        await #expect(throws: DBusError.self) { try await Bus.connect(to: .address(SessionBus.address)) }
    }

    @Test("The waiting calls of a caller that leaves the bus never run") func vanishedCaller() async throws {
        let (begun, gate) = (Mailbox<Void>(), Completion())
        try await withBus { (server: Bus) async throws in
            var object = Clock.object()
            object.handle(Clock.stop) {
                begun.send()
                await gate.wait()
            }
            try await server.export(object)
            let caller = try await Bus.connect(to: .address(SessionBus.address))
            let (peer, left) = (await server.uniqueName, await caller.uniqueName)
            async let calls: Void = withTaskGroup { group in
                for _ in 0..<100 { group.addTask { _ = try? await Proxy(caller, peer, Clock.path).call(Clock.stop) } }
            }
            let handlers = begun.messages
            for _ in 0..<32 { _ = await handlers.next() }
            try await server.waitForCalls(100)
            await caller.close()
            await calls
            try await server.waitForCalls(32)
            gate.finish()
            try await server.waitForCalls(0)
            #expect(try await server.nameOwner(of: left) == nil)
        }
        begun.close()
        var more = 0
        for await _ in begun.messages { more += 1 }
        #expect(more == 0)
    }

    @Test("A stopped bus loses no messages") func stoppedBus() async throws {
        try await withBus { (receiver: Bus) async throws in
            let received = try await receiver.signals(matching: MatchRule(member: "Bulk"), buffering: .unbounded)
            try await withBus { (sender: Bus) async throws in
                kill(SessionBus.processID, SIGSTOP)
                let chunk = [UInt8](repeating: 1, count: 1 << 20)
                for number in 0..<20 as Range<UInt32> {
                    try await sender.send(.signal("/", "a.b", "Bulk", [.uint32(number), .bytes(chunk)]))
                }
                kill(SessionBus.processID, SIGCONT)
                for number in 0..<20 as Range<UInt32> {
                    #expect(await received.next()?.body.first == .uint32(number))
                }
                #expect(try await sender.nameOwner(of: Clock.busName) == nil)
            }
        }
    }

    @Test("The queue of outgoing messages is limited") func boundedQueue() async throws {
        try await withBus { (sender: Bus) async throws in
            kill(SessionBus.processID, SIGSTOP)
            defer { kill(SessionBus.processID, SIGCONT) }
            let chunk = [UInt8](repeating: 1, count: 8 << 20)
            let error = await #expect(throws: DBusError.self) {
                for _ in 0..<20 { try await sender.send(.signal("/", "a.b", "Bulk", [.bytes(chunk)])) }
            }
            #expect(error?.name == .limitsExceeded)
        }
    }

    @Test("Cancelling run() ends all calls and streams") func cancelledRun() async throws {
        try await withSilentPeer { (peer) async throws in
            let bus = try await Bus.connect(to: .address(SessionBus.address))
            let signals = try await bus.signals(matching: MatchRule())
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await bus.run() }
                async let call = failure(of: { try await Proxy(bus, peer, Clock.path).call(Clock.stop) })
                _ = try await bus.nameOwner(of: peer)
                group.cancelAll()
                try await group.waitForAll()
                let error = await call
                #expect(error?.name == .disconnected)
            }
            for await _ in signals {}
        }
    }

    @Test("A handler is cancelled when the connection is closed") func cancelledHandler() async throws {
        let bus = try await Bus.connect(to: .address(SessionBus.address))
        let (started, start) = AsyncStream.makeStream(of: Void.self)
        var object = Clock.object()
        object.handle(Clock.stop) {
            start.yield()
            try await Task.sleep(for: .seconds(3600))
        }
        try await bus.export(object)
        try await withBus { (client: Bus) async throws in
            let name = await bus.uniqueName
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await bus.run() }
                async let call = failure(of: { try await Proxy(client, name, Clock.path).call(Clock.stop) })
                _ = await started.next()
                await bus.close()
                try await group.waitForAll()
                let error = await call
                #expect(error?.name == .noReply)
            }
        }
    }

    @Test("An ended bus is released with its name and match rules") func noLeaks() async throws {
        weak var remembered: Bus?
        do {
            let bus = try await Bus.connect(to: .address(SessionBus.address))
            remembered = bus
            var object = Clock.object()
            object.handle(Clock.stop) {}
            try await bus.export(object)
            let name = await bus.uniqueName
            let stream = try await bus.signals(matching: MatchRule())
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await bus.run() }
                try await Proxy(bus, name, Clock.path).call(Clock.stop)
                await bus.close()
                try await group.waitForAll()
            }
            for await _ in stream {}
        }
        // The queue may still hold a reference.
        while remembered != nil, !Task.isCancelled { await Task.yield() }
    }

    @Test("A connection has ended for the bus although another process has a copy of its descriptor")
    func copiedDescriptor() throws {
        var connection: RawConnection? = try .open(SessionBus.address)
        let copy = dup(try #require(connection).descriptor)
        defer { close(copy) }
        connection = nil
        var byte: UInt8 = 0
        #expect(recv(copy, &byte, 1, Int32(MSG_DONTWAIT)) == 0)
    }

    @Test("A connection that never runs is released with its owner")
    func unusedConnection() async throws {
        weak var remembered: Bus?
        let name: BusName
        do {
            let bus = try await Bus.connect(to: .address(SessionBus.address))
            remembered = bus
            name = await bus.uniqueName
        }
        while remembered != nil, !Task.isCancelled { await Task.yield() }
        try await withBus { (other: Bus) async throws in
            let changes = try await other.nameOwnerChanges(of: name)
            while await changes.next()?.new != nil {}
        }
    }

    @Test("Connecting to an address without a bus is an error") func noServer() async {
        let addresses: [BusAddress] = [
            .address("unix:path=/nonexistent/bus"), .address("nonsense"), .address(""), .address("autolaunch:"),
            .address("unix:path=/a\0"),
        ]
        for address in addresses {
            await #expect(throws: DBusError.self, "\(address)") { try await Bus.connect(to: address) }
        }
    }
}

extension Bus {
    /// Waits until this many incoming calls are waiting or running.
    fileprivate func waitForCalls(_ count: Int) async throws {
        try await TestSupport.waiting(for: "\(count) calls", seeing: { router.invocations }) { $0 == count }
    }
}
