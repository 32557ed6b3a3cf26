import Basics
import ClientKit
import Synchronization
import TestSupport
import Testing

@testable import SuprSend

@Suite(.timeLimit(.minutes(5))) struct SerialGateTests {
    /// Records the tasks that enter a gate, and holds them inside until it is opened.
    private actor Record {
        private(set) var entries: [Int] = []
        private(set) var inside = 0
        private(set) var most = 0
        private var isOpen = false
        private var waiters = Waiters()

        func enter(_ number: Int) {
            entries.append(number)
            inside += 1
            most = max(most, inside)
            waiters.wakeAll()
        }

        func leave() { inside -= 1 }

        func open() {
            isOpen = true
            waiters.wakeAll()
        }

        func untilOpen() async { while !isOpen { await change() } }

        func untilEntered(_ count: Int) async { while entries.count < count { await change() } }

        private func change() async {
            let next = waiters.add()
            // Not ended by cancellation: a body that has begun finishes.
            await Task { await next.wait() }.value
        }
    }

    @Test("Callers enter one at a time in order of arrival") func order() async throws {
        let (gate, record) = (SerialGate(), Record())
        try await withThrowingTaskGroup { group in
            for number in 0..<20 {
                group.addTask {
                    try await gate.pass { () async throws(SuprSendError) in
                        await record.enter(number)
                        await record.untilOpen()
                        await record.leave()
                    }
                }
                // The first caller is inside, the others wait in order.
                await record.untilEntered(1)
                while await gate.waitingCount < number, !Task.isCancelled { await Task.yield() }
            }
            await record.open()
            try await group.waitForAll()
        }
        #expect(await record.entries == Array(0..<20))
        #expect(await record.most == 1)
    }

    @Test("Owners take turns, however many bodies one of them has") func turns() async throws {
        let (gate, record) = (SerialGate(), Record())
        let owners = ["a", "a", "a", "a", "b", "b", "c"]
        try await withThrowingTaskGroup { group in
            for (number, owner) in owners.enumerated() {
                group.addTask {
                    try await gate.pass(of: owner, orThrow: SuprSendError.cancelled) { () async throws(SuprSendError) in
                        await record.enter(number)
                        await record.untilOpen()
                        await record.leave()
                    }
                }
                await record.untilEntered(1)
                while await gate.waitingCount < number, !Task.isCancelled { await Task.yield() }
            }
            await record.open()
            try await group.waitForAll()
        }
        // One of "a" had the first turn.
        #expect(await record.entries.map { owners[$0] } == ["a", "b", "c", "a", "b", "a", "a"])
        #expect(await record.entries.filter { owners[$0] == "a" } == [0, 1, 2, 3])
    }

    @Test("A cancelled caller leaves the queue") func cancellation() async throws {
        let (gate, record) = (SerialGate(), Record())
        try await withThrowingTaskGroup { group in
            group.addTask {
                try await gate.pass { () async throws(SuprSendError) in
                    await record.enter(0)
                    await record.untilOpen()
                }
            }
            await record.untilEntered(1)
            let cancelled = Task {
                try await gate.pass { () async throws(SuprSendError) in await record.enter(1) }
            }
            while await gate.waitingCount < 1, !Task.isCancelled { await Task.yield() }
            group.addTask {
                try await gate.pass { () async throws(SuprSendError) in await record.enter(2) }
            }
            while await gate.waitingCount < 2, !Task.isCancelled { await Task.yield() }
            cancelled.cancel()
            let error = await #expect(throws: SuprSendError.self) { try await cancelled.value }
            #expect(error?.kind == .cancelled)
            await record.open()
            try await group.waitForAll()
        }
        #expect(await record.entries == [0, 2])
    }

    @Test("A failure leaves the gate open") func failure() async throws {
        let gate = SerialGate()
        let error = await #expect(throws: SuprSendError.self) {
            try await gate.pass { () async throws(SuprSendError) in throw SuprSendError(.rejected, "no") }
        }
        #expect(error?.kind == .rejected)
        #expect(try await gate.pass { () async throws(SuprSendError) in 7 } == 7)
    }

    @Test("Random cancellations leave the queue empty and the gate open", arguments: 0..<20 as Range<UInt64>)
    func randomCancellations(seed: UInt64) async throws {
        var chance = SeededGenerator(seed: seed)
        let (gate, record) = (SerialGate(), Record())
        var tasks: [Task<Void, any Error>] = []
        for number in 0..<40 {
            let pauses = Int.random(in: 0..<4, using: &chance)
            tasks.append(
                Task {
                    try await gate.pass { () async throws(SuprSendError) in
                        await record.enter(number)
                        for _ in 0..<pauses { await Task.yield() }
                        await record.leave()
                    }
                }
            )
            for _ in 0..<Int.random(in: 0..<3, using: &chance) { await Task.yield() }
            if Bool.random(using: &chance) { tasks.randomElement(using: &chance)?.cancel() }
        }
        var passed = 0
        for task in tasks {
            switch await task.result {
            case .success: passed += 1
            case .failure(let error): #expect((error as? SuprSendError)?.kind == .cancelled)
            }
        }
        #expect(await record.entries.count == passed)
        #expect(await record.most <= 1)
        #expect(await gate.waitingCount == 0)
        #expect(try await gate.pass { () async throws(SuprSendError) in true })
    }
}
