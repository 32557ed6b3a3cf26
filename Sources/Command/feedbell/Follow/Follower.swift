import AgentInterface
import ArgumentParser
import Basics
import DBus
import Glibc
import VisibleText

/// Runs ``FollowedAgent``: reads D-Bus and writes lines or runs programs, until standard output is closed, the bus
/// connection ends, or a signal ends this program.
struct Follower {
    enum Format {
        case events(EventFilter)
        case template(EventTemplate, EventFilter)
        case waybar
        case polybar
        /// Runs a program for each event, and prints none.
        case programs(ArrivalPrograms, EventFilter)
        /// Sentences for people, see ``FollowedSentences``.
        case text
    }

    /// The maximum number of notifications that are listed after a loss; further ones are found by their ids.
    private static let maximumMadeUp: UInt32 = 5_000

    let account: String?
    let format: Format
    private let output = FollowerOutput()
    private let inputs = FollowerInputs()
    private let characters = CharacterSet.current
    private var agent: FollowedAgent
    /// Whether the agent's state was not read yet.
    private var isFirst = true
    /// The last line of a status bar.
    private var line: [UInt8]?
    private var sentences = FollowedSentences()

    init(account: String?, format: Format) {
        self.account = account
        self.format = format
        agent = FollowedAgent(only: account.map(AgentNames.accountPath), now: Int64(time(nil)) * 1000)
    }

    mutating func run() async throws {
        guard case .programs(let programs, _) = format else { return try await followBus() }
        let signals = try EndSignals { [inputs] in inputs.send(.closed) }
        let result = await withTaskGroup { group in
            group.addTask { await programs.run() }
            var result = Result<Void, any Error>.success(())
            do { try await followBus() } catch { result = .failure(error) }
            programs.close(isInterrupted: signals.isReceived)
            await group.waitForAll()
            return result
        }
        signals.endProcess()
        try result.get()
    }

    private mutating func followBus() async throws {
        let root = try await AgentObject.root(timeout: nil)
        let bus = root.proxy.bus
        let closing = format.isPrinted ? output.whenClosed { [inputs] in inputs.send(.closed) } : nil
        defer { closing?.cancel() }
        // These two are read at once, independent of slow output, so their buffers stay small.
        let rule = MatchRule(sender: AgentNames.busName, pathNamespace: AgentNames.agentPath)
        let signals = try await bus.signals(matching: rule, buffering: .unbounded)
        let owners = try await bus.nameOwnerChanges(of: AgentNames.busName)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { [inputs] in for await message in signals { inputs.send(.signal(message)) } }
            group.addTask { [inputs] in
                for await change in owners { inputs.send(.owner(change.new)) }
                inputs.close()
            }
            try await follow(root)
            group.cancelAll()
        }
    }

    private mutating func follow(_ root: AgentObject) async throws {
        for await input in inputs.messages {
            guard let effects = receive(input), try await perform(effects, root), await printState() else {
                return
            }
        }
        throw Failure(translated("The connection to the session bus ended."), .noAgent)
    }

    /// Passes an input to the followed agent; nil: standard output is closed.
    private mutating func receive(_ input: FollowerInputs.Input) -> [FollowedAgent.Effect]? {
        inputs.countReceived()
        let effects: [FollowedAgent.Effect]
        switch input {
        case .closed: return nil
        case .owner(let owner): effects = agent.owner(is: owner)
        case .signal(let message): effects = (try? agent.receive(message)) ?? []
        }
        return inputs.takeLoss().map { effects + agent.lost($0) } ?? effects
    }

    /// Performs effects, and those of a state that is read for them. Returns false if standard output is closed.
    private mutating func perform(_ effects: [FollowedAgent.Effect], _ root: AgentObject) async throws -> Bool {
        var effects = effects
        while !effects.isEmpty {
            switch effects.removeFirst() {
            case .emit(let event): if let line = line(for: event), await !output.write(line) { return false }
            case .read: effects = try await readState(root) + effects
            case .makeUp(let path, let since, let ids):
                effects = agent.madeUp(await notifications(of: path, since: since, ids, root), of: path) + effects
            }
        }
        return true
    }

    private mutating func readState(_ root: AgentObject) async throws -> [FollowedAgent.Effect] {
        let state = try await read(root)
        if isFirst, let state, let only = agent.only, state.snapshot.accounts.objects[only] == nil {
            // Throws a failure that lists the accounts.
            _ = try await root.account(account).properties(AgentInbox.self)
        }
        isFirst = false
        return state.map { agent.restart(with: $0) } ?? agent.owner(is: nil)
    }

    /// Prints the sentences about changed states, or the line of a status bar if it differs from the last one. Returns
    /// false if standard output is closed.
    private mutating func printState() async -> Bool {
        if case .text = format {
            for sentence in sentences.after(agent, now: LocalTime.now) {
                if await !output.write(characters.bytes(sentence)) { return false }
            }
            return true
        }
        guard let barLine = format.barLine else { return true }
        // One change often causes several signals; print the line after the last one.
        if inputs.isEmpty { try? await Task.sleep(for: .milliseconds(20)) }
        guard inputs.isEmpty else { return true }
        let next = barLine(agent.statusBar(now: LocalTime.now), characters)
        if next == line { return true }
        line = next
        return await output.write(next)
    }

    /// The line that is printed for an event, or nil. Runs the program for it.
    private func line(for event: FollowedEvent) -> [UInt8]? {
        if event.name == FollowedEvent.missed, !format.isOfAllEvents { report(missed: event) }
        switch format {
        case .events(let filter) where filter.includes(event): return characters.bytes(json: event.json.text)
        case .template(let template, let filter) where filter.includes(event):
            return characters.bytes(template.line(for: event))
        case .programs(let programs, let filter) where filter.includes(event):
            if let notification = event.notification { programs.arrived(notification) }
            return nil
        case .text: return FollowedSentences.sentence(event, agent).map { characters.bytes($0) }
        case .events, .template, .programs, .waybar, .polybar: return nil
        }
    }

    /// Reports on standard error that what has arrived is not printed, and no program runs for it.
    private func report(missed event: FollowedEvent) {
        let problem = translated(
            "Events were lost, because they were read too slowly: {count} notification of \"{account}\" arrived "
                + "meanwhile and is no longer in the inbox.",
            plural: "Events were lost, because they were read too slowly: {count} notifications of \"{account}\" "
                + "arrived meanwhile and are no longer in the inbox.",
            count: event.count,
            ["account": (event["account"]?.plain ?? "").onOneLine]
        )
        Failure(problem, .failure).report()
    }

    /// The notifications of an account that were created since a time, or have these ids. What cannot be read is
    /// missing.
    private func notifications(
        of path: ObjectPath,
        since: Int64,
        _ ids: [String],
        _ root: AgentObject
    ) async -> [NotificationRecord] {
        let inbox = root.object(at: path)
        var options = ListOptions()
        (options.since, options.limit) = (since, Self.maximumMadeUp)
        var found = (try? await inbox.notifications(options)) ?? []
        let known = Set(found.map(\.id))
        for ids in AgentInbox.portions(of: ids.filter { !known.contains($0) }) {
            var options = ListOptions()
            options.ids = ids
            found += (try? await inbox.notifications(options)) ?? []
        }
        return found
    }

    /// The agent's state; nil: no agent is running. Retries after a timeout: the agent's process may be stopped.
    private func read(_ root: AgentObject) async throws -> FollowedAgent.State? {
        while true {
            do throws(DBusError) {
                if let state = try await FollowedAgent.State(root.proxy) { return state }
            } catch {
                switch error.name {
                case .serviceUnknown, .nameHasNoOwner, .noReply: return nil
                case .timeout: continue
                default: throw Failure(error)
                }
            }
        }
    }
}

extension Follower.Format {
    /// Whether all events can be printed.
    fileprivate var isOfAllEvents: Bool {
        switch self {
        case .events, .waybar, .polybar: true
        case .template, .programs, .text: false
        }
    }

    /// Whether lines are printed, so that a closed output ends the program.
    fileprivate var isPrinted: Bool { if case .programs = self { false } else { true } }

    /// The line of a status bar; nil: something else is printed.
    fileprivate var barLine: ((StatusBar, CharacterSet) -> [UInt8])? {
        switch self {
        case .waybar: { $1.bytes(json: $0.waybar.text) }
        case .polybar: { $1.bytes($0.polybar) }
        case .events, .template, .programs, .text: nil
        }
    }
}
