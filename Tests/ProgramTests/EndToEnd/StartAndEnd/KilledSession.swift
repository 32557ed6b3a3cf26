import AgentInterface
import AgentTestSupport
import DBus
import Glibc
import Sandbox
import Subprocess
import TestSupport
import Testing

/// A user session whose agent is killed repeatedly.
actor KilledSession {
    let service: TestedService
    let sandbox: Sandbox
    let server: TerminalServer
    let bus: Bus
    let file: TemporaryFile
    let disturbance: Disturbance
    var generator: SeededGenerator

    /// The labels of notifications, and of tabs.
    static let labels = ["one", "two"]
    /// The maximum number of notifications: fewer than an agent keeps waiting for their popups.
    private static let publishedLimit = 450
    /// The service's first preferences, by switch.
    var initial: [String: String] = [:]

    /// Every notification, by its headline.
    var published: [String: String] = [:]
    // The acknowledged user actions.
    var clicked: Set<String> = []
    var read: Set<String> = []
    var archived: Set<String> = []
    /// The notifications that a request should mark, answered or not, and how.
    var touched: [String: String] = [:]
    /// The notifications that a request should click, answered or not.
    var clickAttempts: Set<String> = []
    var preferences: [String: String] = [:]
    /// The number of shown popups after the end of each agent.
    var shownAtEnd: [Int] = []
    /// Whether nothing happens besides what the user does.
    private var isUndisturbed = false
    /// A requested preference with an unknown result.
    var unansweredPreference: (name: String, value: String)?

    init(
        _ service: TestedService,
        _ sandbox: Sandbox,
        _ server: TerminalServer,
        _ bus: Bus,
        _ file: TemporaryFile,
        _ disturbance: Disturbance
    ) {
        self.service = service
        self.sandbox = sandbox
        self.server = server
        self.bus = bus
        self.file = file
        self.disturbance = disturbance
        generator = SeededGenerator(seed: disturbance.rawValue)
    }

    var account: Proxy { Proxy(bus, AgentNames.busName, AgentNames.accountPath("work")) }

    private func random(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }

    func run(kills: Int) async throws {
        let stored = await sandbox.state
        for name in service.switches { initial[name] = service.preference(name, in: stored) }
        try await BuiltAgent.recordPresent(beside: file)
        for number in 0..<kills {
            if random(0...2) == 0 { try await publish() }
            let delay = random(0...1) == 0 ? random(0...100) : random(100...500)
            let waits = random(0...9) > 0
            // On a busy computer, agents may have been too slow to be clicked: then this one lives until it was.
            // Undisturbed, because pages of a gateway without end could keep it offline for good.
            isUndisturbed = number == kills / 2 && clicked.isEmpty
            if isUndisturbed { try await sandbox.execute("clear-faults") }
            try await BuiltAgent.keepingState(beside: file, waitsForName: waits) { agent in
                await withTaskGroup { group in
                    group.addTask {
                        if await self.isUndisturbed { await self.waitForClick() }
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
        try await sandbox.execute("clear-faults")
        try await BuiltAgent.keepingState(beside: file) { _ in
            try await settle()
            try await compareWithAgent()
        }
        try await check(kills)
    }

    /// Waits until the notification server has handled all that the ended agent has sent.
    private func drainServer() async throws {
        try await bus.waitForNoAgent()
        _ = try await Proxy(bus, FreedesktopNotifications.busName, FreedesktopNotifications.path)
            .call(FreedesktopNotifications.getServerInformation)
    }

    /// The popups of notifications with ordinary times, in their order.
    func shown() async -> [String] {
        await server.calls.filter { $0.id != 0 && published[$0.summary] != nil }.map(\.summary)
    }

    private func publish() async throws {
        guard published.count < Self.publishedLimit else { return }
        let title = "Nr \(published.count + 1)"
        published[title] = try await sandbox.publish(service.fields(title, label: Self.labels[random(0...1)]))
    }

    /// In any unit at SuprSend. MagicBell lists in the order of its numbers, so all have one unit.
    private static let extremeTimes: [TestedService: [Int64]] = {
        let seconds: [Int64] = [-1, 0, 1, 4_294_967_296, .min, .max, .max - 1]
        let other: [Int64] = [1_754_346_745_613_000, 1_754_346_745_613_000_000, 253_402_300_800_000]
        return [.suprSend: seconds + other, .magicBell: seconds, .magicBellToken: seconds]
    }()

    /// Disturbs the agent now and then.
    private func disturb() async throws {
        guard !isUndisturbed else { return }
        switch disturbance {
        case .none: break
        case .tabs:
            let options: [String: Value] = [
                "tab": .string(Self.labels[random(0...1)]), "limit": .uint32(UInt32(random(1...100))),
            ]
            _ = try await account.call(AgentInbox.list, options)
        case .gateway:
            let status = [404, 400][random(0...1)]
            let page = ServiceResponse(
                status: status,
                headers: ["Content-Type": "text/html"],
                body: Array("<html><body>default backend - \(status)</body></html>".utf8)
            )
            // Otherwise an agent that fails at its first request would leave more and more pages to the later ones.
            try await sandbox.execute("clear-faults")
            await sandbox.inject(RequestFault(.respond(page), path: service.apiPath, times: random(1...5)))
        case .extremeTimes:
            let time = Self.extremeTimes[service]?.randomElement(using: &generator) ?? 0
            try await sandbox.publish(service.fields("Odd", label: "one", created: .integer(time)))
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

    private func waitForClick() async {
        while clicked.isEmpty, !Task.isCancelled { try? await Task.sleep(for: .milliseconds(5)) }
    }

    private func prefer() async throws {
        let name = service.switches[random(0...1)]
        let value = ["opt_in", "opt_out"][random(0...1)]
        let (wanted, preference) = unansweredPreference ?? (name, value)
        unansweredPreference = (wanted, preference)
        try await service.set(wanted, preference, of: account)
        preferences[wanted] = preference
        unansweredPreference = nil
    }

    /// The last agent is not killed: every started change is finished.
    private func settle() async throws {
        while unansweredPreference != nil { try? await prefer() }
        try await account.wait(AgentAccount.state, is: "online")
        var missing = published
        repeat {
            let shown = Set(await server.calls.map(\.summary))
            missing = missing.filter { !shown.contains($0.key) }
            do { try await Task.sleep(for: .milliseconds(10)) } catch {
                Issue.record("never shown, of \(published.count): \(missing)")
                throw error
            }
        } while !missing.isEmpty
        // Archives are held for a while.
        let (service, archived) = (service, archived)
        _ = try await sandbox.wait { state in
            archived.isSubset(of: service.rows(in: state).filter(\.isArchived).map(\.id)) ? true : nil
        }
        try await account.wait(AgentAccount.pendingActions, is: 0)
        try await account.wait(AgentPreferences.pending, is: 0)
    }
}
