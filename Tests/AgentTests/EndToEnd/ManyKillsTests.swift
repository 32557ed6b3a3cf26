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

/// The agent is killed 200 times while notifications come, popups are clicked, and things are marked and preferred: in
/// the end the service has every user action, and every notification was shown.
@Suite(.sessionBus, .sandbox(users: ["anna"]), .timeLimit(.minutes(2))) struct ManyKillsTests {
    private let sandbox = Sandbox.current

    private static let kills = 50

    /// What happens besides the kills.
    enum Disturbance: UInt64, Sendable, CaseIterable {
        case none = 1
        /// Two tabs, and a user who looks at one or the other.
        case tabs
        /// A gateway that answers HTML with 404 and 400 for a while, now and then.
        case gateway
        /// Notifications with times at the limits of what a number can hold, in microseconds and nanoseconds.
        case extremeTimes
    }

    @Test("Kills lose no action, and repeat at most one popup each", arguments: Disturbance.allCases)
    func killsLoseNothing(disturbance: Disturbance) async throws {
        var text = AgentConfiguration.account()
        if disturbance == .tabs {
            for tab in World.tags {
                text += "[[accounts.work.stores]]\nid = \"\(tab)\"\nlabel = \"\(tab)\"\ntags = [\"\(tab)\"]\n"
            }
        }
        // Each notification has a popup of its own, to be counted.
        try await TemporaryFile.with(text + "[popups]\ngroup_above = 1000\n") { file in
            try await withBus { bus in
                // A popup stays until the agent closes it: a click that is not answered is made again.
                let server = TerminalServer(bus: bus, keepsInvoked: true)
                try await server.serving {
                    let world = World(sandbox, server, bus, file, disturbance)
                    try await world.run(kills: Self.kills)
                }
            }
        }
    }
}

/// A user session whose agent is killed repeatedly.
private actor World {
    let sandbox: Sandbox
    let server: TerminalServer
    let bus: Bus
    let file: TemporaryFile
    let disturbance: ManyKillsTests.Disturbance
    var generator: SeededGenerator

    static let tags = ["one", "two"]
    private static let categories = ["refund-news", "builds"]
    /// What the service had at first, by category.
    private var initial: [String: JSON] = [:]

    /// Every notification, by its headline.
    var published: [String: String] = [:]
    // The acknowledged user actions.
    var clicked: Set<String> = []
    var read: Set<String> = []
    var archived: Set<String> = []
    /// What was to be marked, answered or not, and how.
    var touched: [String: String] = [:]
    /// What was to be clicked, answered or not.
    var clickAttempts: Set<String> = []
    var preferences: [String: String] = [:]
    /// How many popups were shown when each agent had ended.
    var shownAtEnd: [Int] = []
    /// A requested preference with an unknown result.
    var unansweredPreference: (category: String, value: String)?

    init(
        _ sandbox: Sandbox,
        _ server: TerminalServer,
        _ bus: Bus,
        _ file: TemporaryFile,
        _ disturbance: ManyKillsTests.Disturbance
    ) {
        self.sandbox = sandbox
        self.server = server
        self.bus = bus
        self.file = file
        self.disturbance = disturbance
        generator = SeededGenerator(seed: disturbance.rawValue)
    }

    private var account: Proxy { Proxy(bus, AgentNames.busName, AgentNames.accountPath("work")) }

    private func random(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }

    func run(kills: Int) async throws {
        let stored = await sandbox.inbox("anna").preferences
        for category in Self.categories { initial[category] = stored.category(category)?["preference"] }
        try await BuiltAgent.keepingState(beside: file) { agent in
            // From then on what comes is news to every agent.
            let path = state + "/feedbell/feedbell.sqlite3"
            var isKept = false
            while !isKept {
                try await Task.sleep(for: .milliseconds(5))
                guard FileManager.default.fileExists(atPath: path) else { continue }
                isKept = try await StateStore(path: path) { _ in }.deliveries().values.contains { $0.watermark != nil }
            }
        }
        for _ in 0..<kills {
            if random(0...2) == 0 { try await publish() }
            let delay = random(0...1) == 0 ? random(0...100) : random(100...500)
            let waits = random(0...9) > 0
            try await BuiltAgent.keepingState(beside: file, waitsForName: waits) { agent in
                await withTaskGroup { group in
                    group.addTask {
                        try? await Task.sleep(for: .milliseconds(delay))
                        agent.program.send(SIGKILL)
                        await agent.program.ended()
                    }
                    group.addTask { while !Task.isCancelled { await self.act() } }
                    await group.next()
                    group.cancelAll()
                }
            }
            try await drainServer()
            shownAtEnd.append(await shown().count)
        }
        try await sandbox.perform(.clearFaults)
        try await BuiltAgent.keepingState(beside: file) { _ in
            try await settle()
            try await compareWithAgent()
        }
        try await check(kills)
    }

    /// Waits until the notification server has handled all that the ended agent has sent.
    private func drainServer() async throws {
        for await change in try await bus.nameOwnerChanges(of: AgentNames.busName) where change.new == nil { break }
        _ = try await Proxy(bus, FreedesktopNotifications.busName, FreedesktopNotifications.path)
            .call(FreedesktopNotifications.getServerInformation)
    }

    /// The popups of notifications with ordinary times, in their order.
    private func shown() async -> [String] {
        await server.calls.filter { $0.id != 0 && published[$0.summary] != nil }.map(\.summary)
    }

    private func publish() async throws {
        let title = "Nr \(published.count + 1)"
        let tag = Self.tags[random(0...1)]
        published[title] = try await sandbox.publish(
            ["header": .string(title), "text": "x", "tags": [.string(tag)]]
        )
    }

    private static let extremeTimes: [Int64] = [
        .min, .max, .max - 1, -1, 0, 1_754_346_745_613_000, 1_754_346_745_613_000_000, 253_402_300_800_000,
    ]

    /// Disturbs the agent now and then.
    private func disturb() async throws {
        switch disturbance {
        case .none: break
        case .tabs:
            let options: [String: Value] = [
                "tab": .string(Self.tags[random(0...1)]), "limit": .uint32(UInt32(random(1...100))),
            ]
            _ = try await account.call(AgentInbox.list, options)
        case .gateway:
            let status = [404, 400][random(0...1)]
            let page = ServiceResponse(
                status: status,
                headers: ["Content-Type": "text/html"],
                body: Array("<html><body>default backend - \(status)</body></html>".utf8)
            )
            try await sandbox.perform(.fault(RequestFault(.respond(page), path: "/v", times: random(1...5))))
        case .extremeTimes:
            let time = Self.extremeTimes[random(0...Self.extremeTimes.count - 1)]
            let row: JSON = ["header": "Odd", "text": "x", "created_on": .integer(time), "tags": ["one"]]
            try await sandbox.perform(.publish([row]))
        }
    }

    /// Performs one user action. A throwing one was not acknowledged and is not counted.
    private func act() async {
        do {
            switch random(0...10) {
            case 0...2: try await publish()
            case 3...5: try await click()
            case 6:
                guard let id = await fresh() else { break }
                touched[id] = "read"
                try await account.call(AgentInbox.markRead, [id])
                read.insert(id)
            case 7:
                guard let id = await fresh() else { break }
                touched[id] = "archive"
                try await account.call(AgentInbox.archive, [id])
                archived.insert(id)
            case 8: try await disturb()
            default: try await prefer()
            }
            try await Task.sleep(for: .milliseconds(random(0...10)))
        } catch {
            try? await Task.sleep(for: .milliseconds(1))
        }
    }

    /// A notification that was shown and not handled: one handled before it is shown needs no popup.
    private func fresh() async -> String? {
        let seen = await server.popups.compactMap { published[$0.summary] }
        return seen.filter { !clicked.contains($0) && touched[$0] == nil }.randomElement(using: &generator)
    }

    /// Clicks a popup and sees whether it goes.
    private func click() async throws {
        guard let id = await fresh(), let popup = await server.popups.last(where: { published[$0.summary] == id })
        else { return }
        let before = await server.closeCalls.count(where: { $0 == popup.id })
        clickAttempts.insert(id)
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
        let category = Self.categories[random(0...1)]
        let value = ["opt_in", "opt_out"][random(0...1)]
        let (wanted, preference) = unansweredPreference ?? (category, value)
        unansweredPreference = (wanted, preference)
        try await account.call(AgentPreferences.setCategory, wanted, preference)
        preferences[wanted] = preference
        unansweredPreference = nil
    }

    /// The last agent is not killed: every started change is finished.
    private func settle() async throws {
        while unansweredPreference != nil { try? await prefer() }
        try await account.wait(AgentAccount.state, is: "online")
        var missing: [String: String] = [:]
        for _ in 0..<6_000 {
            let shown = Set(await server.calls.map(\.summary))
            missing = published.filter { !shown.contains($0.key) }
            if missing.isEmpty { break }
            try await Task.sleep(for: .milliseconds(10))
        }
        #expect(missing == [:], "never shown, of \(published.count)")
        try await account.wait(AgentAccount.pendingActions, is: 0)
        try await account.wait(AgentPreferences.pending, is: 0)
    }

    /// What the agent says of the loaded notifications is what the service has.
    private func compareWithAgent() async throws {
        let storedInbox = await sandbox.inbox("anna")
        try await account.wait(
            AgentInbox.unreadCount,
            is: UInt32(storedInbox.rows.count { !$0.isRead && !$0.isArchived })
        )
        for notification in try await account.call(AgentInbox.list, [:]) {
            guard case .string(let id)? = notification["id"], let row = storedInbox.row(id) else {
                Issue.record("the agent lists what the service does not have: \(notification)")
                continue
            }
            #expect(
                (notification["read"] != .int64(0)) == row.isRead && notification["archived"] == .bool(row.isArchived),
                "\(id)"
            )
        }
    }

    /// The whole state of the service: what was answered is there, and nothing is there that was not asked for.
    private func check(_ kills: Int) async throws {
        let storedInbox = await sandbox.state.service[InboxKey(user: "anna")]
        for row in storedInbox.rows {
            let (id, isInteracted) = (row.id, row.json["interacted_on"]?.integer != nil)
            #expect(isInteracted || !clicked.contains(id), "the click on \(id) is lost")
            #expect(row.isRead || !read.contains(id), "the reading of \(id) is lost")
            #expect(row.isArchived || !archived.contains(id), "the archiving of \(id) is lost")
            #expect(!isInteracted || clickAttempts.contains(id), "\(id) was not clicked")
            #expect(!row.isRead || clickAttempts.contains(id) || touched[id] == "read", "\(id) was not read")
            #expect(!row.isArchived || touched[id] == "archive", "\(id) was not archived")
        }
        for category in Self.categories {
            let expected = preferences[category].map { JSON.string($0) } ?? initial[category]
            #expect(storedInbox.preferences.category(category)?["preference"] == expected, "\(category)")
        }

        let shown = await shown()
        #expect(Set(shown) == Set(published.keys))
        // A kill falls between the showing of one notification and its being recorded, at most: a later agent shows
        // that one again.
        var (shownBy, repeated) = ([String: Int](), [Int: [String]]())
        for (agent, (start, end)) in zip([0] + shownAtEnd, shownAtEnd + [shown.count]).enumerated() {
            for title in shown[start..<end] {
                if let earlier = shownBy[title] { repeated[earlier, default: []].append(title) }
                shownBy[title] = agent
            }
        }
        for (agent, titles) in repeated {
            #expect(titles.count <= 1, "not recorded when agent \(agent) was killed: \(titles)")
        }
        print(
            """
            \(disturbance): killed \(kills) times: \(published.count) notifications, \
            \(repeated.values.reduce(0) { $0 + $1.count }) of them shown once more; \
            \(clicked.count) clicks, \(read.count + archived.count) marks, \(preferences.count) preferences, none lost
            """
        )
    }

    private var state: String { file.directory + "/state" }
}
