import AgentInterface
import DBus
import FoundationEssentials
import Glibc
import NotificationTerminal
import Sandbox
import Store
import Subprocess
import TestSupport
import Testing

/// The agent is killed 200 times while notifications come, popups are clicked, and things are marked and preferred: in the end the
/// service knows what the person did, and the person has seen every notification.
@Suite(.sessionBus, .timeLimit(.minutes(2))) struct ManyKillsTests {
    private static let kills = 100

    @Test(arguments: [1, 2] as [UInt64]) func nothingIsLostAndNothingIsRepeated(seed: UInt64) async throws {
        try await Sandbox.with(SandboxOptions(users: ["anna"])) { sandbox in
            let text = AgentConfiguration.account("work", user: "anna", url: sandbox.baseURL)
            // Each notification has a popup of its own, to be counted.
            try await TemporaryFile.with(text + "[popups]\ngroup_above = 1000\n") { file in
                try await withBus { bus in
                    // A popup stays until the agent closes it: a click that is not answered is made again.
                    let server = NotificationServer(bus: bus, keepsInvoked: true)
                    try await server.serving {
                        let world = World(sandbox: sandbox, server: server, bus: bus, file: file, seed: seed)
                        try await world.run(kills: Self.kills)
                    }
                }
            }
            #expect(await sandbox.violations.isEmpty)
        }
    }
}

/// A person at a desktop whose agent keeps dying.
private actor World {
    let sandbox: Sandbox
    let server: NotificationServer
    let bus: Bus
    let file: TemporaryFile
    var generator: SeededGenerator

    /// Every notification, by its headline.
    var published: [String: String] = [:]
    // What the person did, and was answered.
    var clicked: Set<String> = []
    var read: Set<String> = []
    var archived: Set<String> = []
    /// What was to be marked, answered or not: nobody knows what closes its popup.
    var touched: Set<String> = []
    var preferences: [String: String] = [:]
    /// A preference that was asked for, and nobody knows what became of it.
    var doubtful: (category: String, value: String)?

    init(sandbox: Sandbox, server: NotificationServer, bus: Bus, file: TemporaryFile, seed: UInt64) {
        self.sandbox = sandbox
        self.server = server
        self.bus = bus
        self.file = file
        generator = SeededGenerator(seed: seed)
    }

    private var account: Proxy { Proxy(bus, AgentNames.busName, AgentNames.accountPath("work")) }

    private func random(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }

    func run(kills: Int) async throws {
        try await AgentProcess.durable(file, bus) { _, _ in
            // From then on what comes is news to every agent.
            let path = state + "/feedbell/feedbell.sqlite3"
            var isKept = false
            while !isKept {
                try await Task.sleep(for: .milliseconds(5))
                guard FileManager.default.fileExists(atPath: path) else { continue }
                isKept = try await StateStore(path: path) { _ in }.deliveries().values.contains { $0.floor != nil }
            }
        }
        for _ in 0..<kills {
            if random(0...2) == 0 { try await publish() }
            let delay = random(0...1) == 0 ? random(0...100) : random(100...500)
            let waits = random(0...9) > 0
            try await AgentProcess.durable(file, bus, waits: waits) { agent, _ in
                await withTaskGroup { group in
                    group.addTask {
                        try? await Task.sleep(for: .milliseconds(delay))
                        agent.send(SIGKILL)
                        await agent.ended()
                    }
                    group.addTask { while !Task.isCancelled { await self.act() } }
                    await group.next()
                    group.cancelAll()
                }
            }
        }
        try await AgentProcess.durable(file, bus) { _, _ in try await settle() }
        try await check(kills)
    }

    private func publish() async throws {
        let title = "Nr \(published.count + 1)"
        published[title] = try await sandbox.publish(["header": .string(title), "text": "x"])
    }

    /// One thing that a person does. What throws was not answered, and counts for nothing.
    private func act() async {
        do {
            switch random(0...9) {
            case 0...2: try await publish()
            case 3...5: try await click()
            case 6:
                guard let id = await touch() else { break }
                try await account.call(AgentInbox.markRead, [id])
                read.insert(id)
            case 7:
                guard let id = await touch() else { break }
                try await account.call(AgentInbox.archive, [id])
                archived.insert(id)
            default: try await prefer()
            }
            try await Task.sleep(for: .milliseconds(random(0...10)))
        } catch {
            try? await Task.sleep(for: .milliseconds(1))
        }
    }

    /// A notification that the person has seen and not touched: what is dealt with before it is shown needs no popup.
    private func fresh() async -> String? {
        let seen = await server.popups.compactMap { published[$0.summary] }
        return seen.filter { !clicked.contains($0) && !touched.contains($0) }.randomElement(using: &generator)
    }

    private func touch() async -> String? {
        let id = await fresh()
        if let id { touched.insert(id) }
        return id
    }

    /// Clicks a popup and sees whether it goes.
    private func click() async throws {
        guard let id = await fresh(), let popup = await server.popups.last(where: { published[$0.summary] == id })
        else { return }
        let before = await server.closeCalls.count(where: { $0 == popup.id })
        try await server.invoke(id: popup.id)
        for _ in 0..<100 {
            if await server.closeCalls.count(where: { $0 == popup.id }) > before {
                clicked.insert(id)
                return
            }
            try await Task.sleep(for: .milliseconds(2))
        }
    }

    private func prefer() async throws {
        let category = ["refund-news", "builds"][random(0...1)]
        let value = ["opt_in", "opt_out"][random(0...1)]
        let (wanted, preference) = doubtful ?? (category, value)
        doubtful = (wanted, preference)
        try await account.call(AgentPreferences.setCategory, wanted, preference)
        preferences[wanted] = preference
        doubtful = nil
    }

    /// The last agent lives: everything that was begun is ended.
    private func settle() async throws {
        while doubtful != nil { try? await prefer() }
        try await account.wait(AgentAccount.state, is: "online")
        var missing: [String: String] = [:]
        for _ in 0..<1_000 {
            let shown = Set(await server.calls.map(\.summary))
            missing = published.filter { !shown.contains($0.key) }
            if missing.isEmpty { break }
            try await Task.sleep(for: .milliseconds(10))
        }
        #expect(missing == [:], "never shown, of \(published.count)")
        try await account.wait(AgentAccount.pendingActions, is: 0)
        try await account.wait(AgentPreferences.pending, is: 0)
    }

    private func check(_ kills: Int) async throws {
        let mailbox = await sandbox.state.service[InboxKey(user: "anna")]
        #expect(clicked.filter { mailbox.row($0)?.json["interacted_on"]?.integer == nil } == [])
        #expect(read.filter { mailbox.row($0)?.isRead != true } == [])
        #expect(archived.filter { mailbox.row($0)?.isArchived != true } == [])
        for (category, value) in preferences {
            #expect(mailbox.preferences.category(category)?["preference"] == .string(value), "\(category)")
        }
        let times = Dictionary(grouping: await server.calls.filter { $0.id != 0 }, by: \.summary).mapValues(\.count)
        #expect(times.count == published.count)
        // A kill falls between the showing of one notification and its being noted, at the most.
        let repeated = times.values.reduce(0) { $0 + $1 - 1 }
        #expect(repeated <= kills, "\(times.filter { $0.value > 1 })")
        print(
            """
            killed \(kills) times: \(published.count) notifications, \(repeated) of them shown once more; \
            \(clicked.count) clicks, \(read.count + archived.count) marks, \(preferences.count) preferences, none lost
            """
        )
    }

    private var state: String { file.directory + "/state" }
}
