import AgentTestSupport
import DBus
import TestSupport
import Testing

@testable import Agent

@Suite(.sessionBus, .timeLimit(.minutes(5))) struct SecretServiceTests {
    private let work = ["application": "test", "account": "work"]

    private func failure(_ body: () async throws -> Void) async -> SecretServiceError? {
        await #expect(throws: SecretServiceError.self) { try await body() }
    }

    /// A service on one connection, a client on another.
    private func with(
        _ service: (Bus) -> FakeSecretService,
        clock: any Clock<Duration> = ContinuousClock(),
        _ body: (FakeSecretService, SecretService) async throws -> Void
    ) async throws {
        try await withBus { bus in
            let fake = service(bus)
            try await fake.appear()
            try await withBus { client in
                try await body(fake, SecretService(bus: client, clock: clock))
                // The session is closed before the reply to this call.
                _ = try? await Proxy(client, SecretServiceInterface.busName, SecretServiceInterface.path)
                    .call(SecretServiceInterface.readAlias, "default")
                #expect(await fake.sessionCount == 0)
            }
        }
    }

    // MARK: Real services

    @Test("GNOME Keyring stores, replaces and returns secrets") func gnomeKeyring() async throws {
        try await GNOMEKeyring.running { keyring in
            try await withBus { bus in
                let service = SecretService(bus: bus)
                #expect(await failure { _ = try await service.secret(work, mayPrompt: true) } == .noItem)
                try await service.store(Array("first".utf8), label: "Test", attributes: work)
                #expect(try await service.secret(work, mayPrompt: false) == Array("first".utf8))
                try await service.store(Array("second, longer than a block".utf8), label: "Test", attributes: work)
                #expect(try await service.secret(work, mayPrompt: false) == Array("second, longer than a block".utf8))

                var other = work
                other["more"] = "ä"
                try await service.store([], label: "Other", attributes: other)
                #expect(try await service.secret(other, mayPrompt: false) == [])
                #expect(await failure { _ = try await service.secret(work, mayPrompt: true) } == .severalItems(2))
            }
        }
    }

    @Test("A locked GNOME Keyring is an error until it is unlocked") func lockedGNOMEKeyring() async throws {
        try await GNOMEKeyring.running { keyring in
            try await withBus { bus in
                let service = SecretService(bus: bus)
                try await service.store([1, 2, 3], label: "Test", attributes: work)
                try await keyring.lock(bus)
                #expect(await failure { _ = try await service.secret(work, mayPrompt: false) } == .locked)
                // No program on this bus can show the prompt.
                let unseen = await failure { _ = try await service.secret(work, mayPrompt: true) }
                #expect(unseen != nil && unseen != .noItem && unseen != .noService)
                #expect(await failure { try await service.store([4], label: "Test", attributes: work) } != nil)
                try await keyring.unlock(bus)
                #expect(try await service.secret(work, mayPrompt: false) == [1, 2, 3])
            }
        }
    }

    /// Every second of its public keys has 129 bytes.
    @Test("KWallet stores and returns secrets", .enabled(if: KWallet.isInstalled)) func kWallet() async throws {
        try await KWallet.running {
            try await withBus { bus in
                let service = SecretService(bus: bus)
                for number in 1...20 {
                    let secret = Array("secret \(number)".utf8)
                    try await service.store(secret, label: "Test", attributes: work)
                    #expect(try await service.secret(work, mayPrompt: true) == secret)
                }
            }
        }
    }

    @Test("A bus monitor sees the calls but not the secret") func busMonitor() async throws {
        let traffic = try await GNOMEKeyring.running { _ in
            try await BusTraffic.recorded {
                try await withBus { bus in
                    let service = SecretService(bus: bus)
                    try await service.store(Array("very secret".utf8), label: "A label", attributes: work)
                    #expect(try await service.secret(work, mayPrompt: false) == Array("very secret".utf8))
                }
            }
        }
        #expect(!traffic.contains("very secret"))
        // The rest is visible.
        for text in ["A label", "CreateItem", "GetSecret", "work"] { #expect(traffic.contains(text), "\(text)") }
    }

    // MARK: Prompts

    @Test("A secret is returned after its prompt is confirmed") func confirmedPrompt() async throws {
        try await with {
            FakeSecretService(bus: $0, items: [.init(work, "token", isLocked: true)])
        } _: { (fake, service) async throws in
            #expect(await failure { _ = try await service.secret(work, mayPrompt: false) } == .locked)
            #expect(try await service.secret(work, mayPrompt: true) == Array("token".utf8))
            #expect(await fake.prompts.next() == "unlock")
        }
    }

    @Test("A dismissed prompt is an error, and nothing is stored") func dismissedPrompt() async throws {
        try await with {
            FakeSecretService(bus: $0, items: [.init(work, "t", isLocked: true)], answer: .dismiss)
        } _: { (fake, service) async throws in
            #expect(await failure { _ = try await service.secret(work, mayPrompt: true) } == .dismissed)
        }
        try await with {
            FakeSecretService(bus: $0, answer: .dismiss, isCollectionLocked: true)
        } _: { (fake, service) async throws in
            #expect(await failure { try await service.store([1], label: "", attributes: work) } == .dismissed)
            #expect(await fake.items.isEmpty)
        }
    }

    @Test("An unanswered prompt times out") func unansweredPrompt() async throws {
        let clock = ManualClock()
        try await with(
            { FakeSecretService(bus: $0, items: [.init(work, "t", isLocked: true)], answer: .nothing) },
            clock: clock
        ) { (fake, service) async throws in
            try await withThrowingTaskGroup(of: SecretServiceError?.self) { (group) async throws in
                group.addTask { await failure { _ = try await service.secret(work, mayPrompt: true) } }
                #expect(await fake.prompts.next() == "unlock")
                await clock.sleeper(for: SecretService.promptTimeout)
                clock.advance(by: SecretService.promptTimeout)
                #expect(try await group.next() == .unanswered)
                #expect(await fake.prompts.next() == "dismissed by its caller")
            }
        }
    }

    @Test("A Secret Service that ends while its prompt is open is an error at once", arguments: [false, true])
    func endedService(hasSuccessor: Bool) async throws {
        let clock = ManualClock()
        try await withBus { client in
            let service = SecretService(bus: client, clock: clock)
            try await withThrowingTaskGroup(of: SecretServiceError?.self) { (group) async throws in
                try await withBus { bus in
                    let fake = FakeSecretService(
                        bus: bus,
                        items: [.init(work, "t", isLocked: true)],
                        answer: .nothing
                    )
                    try await fake.appear()
                    group.addTask { await failure { _ = try await service.secret(work, mayPrompt: true) } }
                    #expect(await fake.prompts.next() == "unlock")
                    await clock.sleeper(for: SecretService.promptTimeout)
                    if hasSuccessor {
                        try await withBus { other in
                            let flags: NameFlags = [.replaceExisting]
                            _ = try await other.requestName(SecretServiceInterface.busName, flags: flags)
                            try await bus.releaseName(SecretServiceInterface.busName)
                            #expect(try await group.next() == .ended)
                        }
                    }
                }
                if !hasSuccessor { #expect(try await group.next() == .ended) }
            }
        }
    }

    @Test("Cancellation dismisses the prompt") func cancelledPrompt() async throws {
        try await with {
            FakeSecretService(bus: $0, items: [.init(work, "t", isLocked: true)], answer: .nothing)
        } _: { (fake, service) async throws in
            await withTaskGroup { group in
                group.addTask { _ = try? await service.secret(work, mayPrompt: true) }
                #expect(await fake.prompts.next() == "unlock")
                group.cancelAll()
            }
            #expect(await fake.prompts.next() == "dismissed by its caller")
        }
    }

    @Test("A task that is cancelled does not wait for its turn at the keyring") func cancelledTurn() async throws {
        try await with {
            FakeSecretService(bus: $0, items: [.init(work, "t", isLocked: true)], answer: .nothing)
        } _: { (fake, service) async throws in
            let keyring = Keyring(service)
            await withTaskGroup { first in
                first.addTask { _ = try? await keyring.secret(work) }
                #expect(await fake.prompts.next() == "unlock")
                await withTaskGroup { second in
                    second.addTask { _ = try? await keyring.secret(work) }
                    try? await waiting(for: "a call that waits") { await keyring.waitingCount > 0 }
                    second.cancelAll()
                    await second.waitForAll()
                }
                #expect(await keyring.waitingCount == 0)
                first.cancelAll()
            }
        }
    }

    /// In KeePassXC a search alone opens a prompt, so a search that must not prompt is skipped.
    @Test("A search that would prompt is skipped if prompts are not allowed") func promptingSearch() async throws {
        try await with {
            FakeSecretService(bus: $0, items: [.init(work, "t")], isCollectionLocked: true, searchPrompts: true)
        } _: { (fake, service) async throws in
            #expect(await failure { _ = try await service.secret(work, mayPrompt: false) } == .locked)
            #expect(await fake.promptCount == 0)
            #expect(try await service.secret(work, mayPrompt: true) == Array("t".utf8))
            #expect(await fake.promptCount == 1)
            #expect(try await service.secret(work, mayPrompt: false) == Array("t".utf8))
        }
    }

    // MARK: Storing

    @Test("A missing default collection is created") func newCollection() async throws {
        try await with {
            FakeSecretService(bus: $0, hasCollection: false)
        } _: { (fake, service) async throws in
            try await service.store(Array("a".utf8), label: "Label", attributes: work)
            #expect(await fake.prompts.next() == "create the collection")
            try await service.store(Array("b".utf8), label: "Label", attributes: work)
            #expect(await fake.items == [.init(work, "b", label: "Label")])
        }
    }

    @Test("A locked collection is unlocked before storing") func lockedCollection() async throws {
        try await with {
            FakeSecretService(bus: $0, isCollectionLocked: true)
        } _: { (fake, service) async throws in
            try await service.store(Array("a".utf8), label: "Label", attributes: work)
            #expect(await fake.prompts.next() == "unlock")
            #expect(await fake.items.map(\.secret) == [Array("a".utf8)])
        }
    }

    @Test("Public keys of each length are accepted", arguments: [127, 128, 129])
    func lengthsOfKeys(length: Int) async throws {
        try await with {
            FakeSecretService(bus: $0, keyLength: length)
        } _: { (fake, service) async throws in
            try await service.store(Array("a".utf8), label: "", attributes: work)
            #expect(await fake.items.map(\.secret) == [Array("a".utf8)])
            #expect(try await service.secret(work, mayPrompt: false) == Array("a".utf8))
        }
    }

    @Test("A session whose cipher is ambiguous is not used") func ambiguousSession() async throws {
        try await with {
            FakeSecretService(bus: $0, items: [.init(work, "t")], ambiguousSessions: 1)
        } _: { (fake, service) async throws in
            #expect(try await service.secret(work, mayPrompt: false) == Array("t".utf8))
            #expect(await fake.openedCount == 2)
        }
    }

    // MARK: Errors

    @Test("Without a Secret Service, each operation is an error") func noService() async throws {
        try await withBus { bus in
            let service = SecretService(bus: bus)
            #expect(await failure { _ = try await service.secret(work, mayPrompt: true) } == .noService)
            #expect(await failure { try await service.store([1], label: "", attributes: work) } == .noService)
        }
    }

    /// The service supports only `plain`.
    @Test("A Secret Service without encryption is not used") func noEncryption() async throws {
        try await with {
            FakeSecretService(bus: $0, items: [.init(work, "t")], knowsEncryption: false)
        } _: { (fake, service) async throws in
            #expect(await failure { _ = try await service.secret(work, mayPrompt: true) } == .noEncryption)
            #expect(await failure { try await service.store([1], label: "", attributes: work) } == .noEncryption)
            #expect(await fake.items.count == 1)
        }
    }

    @Test("A secret that is encrypted with another key is an error") func otherKey() async throws {
        try await with {
            FakeSecretService(bus: $0, items: [.init(work, "t")], isGarbling: true)
        } _: { (fake, service) async throws in
            #expect(await failure { _ = try await service.secret(work, mayPrompt: true) } == .undecipherable)
        }
    }

    @Test("The only unlocked match is used; several matches are an error") func severalItems() async throws {
        let (open, locked) = (
            FakeSecretService.Item(work, "open"), FakeSecretService.Item(work, "locked", isLocked: true)
        )
        try await with {
            FakeSecretService(bus: $0, items: [locked, open, locked])
        } _: { (fake, service) async throws in
            #expect(try await service.secret(work, mayPrompt: true) == Array("open".utf8))
            try await fake.replace([locked, locked])
            #expect(await failure { _ = try await service.secret(work, mayPrompt: true) } == .severalItems(2))
            try await fake.replace([open, locked, open])
            #expect(await failure { _ = try await service.secret(work, mayPrompt: true) } == .severalItems(2))
        }
    }
}
