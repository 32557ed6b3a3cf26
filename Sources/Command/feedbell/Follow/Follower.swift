import AgentInterface
import ArgumentParser
import Basics
import DBus
import Glibc
import InboxPresentation
import Synchronization
import Translation
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
        agent = FollowedAgent(only: account.map(AgentNames.accountPath))
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
            guard let effects = receive(input), try await perform(effects, root), await printState(after: input) else {
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
        return inputs.takeLoss() ? effects + agent.lost() : effects
    }

    /// Performs effects, and those of a state that is read for them. Returns false if standard output is closed.
    private mutating func perform(_ effects: [FollowedAgent.Effect], _ root: AgentObject) async throws -> Bool {
        var effects = effects
        while !effects.isEmpty {
            switch effects.removeFirst() {
            case .emit(let event): if let line = line(for: event), await !output.write(line) { return false }
            case .read: effects = try await readState(root)
            }
        }
        return true
    }

    private mutating func readState(_ root: AgentObject) async throws -> [FollowedAgent.Effect] {
        let state = try await read(root)
        if isFirst, let state, let only = agent.only, state.accounts.objects[only] == nil {
            // Throws a failure that lists the accounts.
            _ = try await root.account(account).properties(AgentInbox.self)
        }
        isFirst = false
        return state.map { agent.restart(with: $0) } ?? agent.owner(is: nil)
    }

    /// Prints the sentences about an input, or the line of a status bar if it differs from the last one. Returns false
    /// if standard output is closed.
    private mutating func printState(after input: FollowerInputs.Input) async -> Bool {
        if case .text = format {
            let message = if case .signal(let message) = input { message } else { nil as Message? }
            for sentence in sentences.after(message, agent, now: LocalTime.now) {
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
        switch format {
        case .events(let filter) where filter.includes(event): return characters.bytes(json: event.json.text)
        case .template(let template, let filter) where filter.includes(event):
            return characters.bytes(template.line(for: event))
        case .programs(let programs, let filter) where filter.includes(event):
            if let notification = event.notification { programs.arrived(notification) }
            return nil
        case .events, .template, .programs, .waybar, .polybar, .text: return nil
        }
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

/// The messages from D-Bus that wait for slow output.
private final class FollowerInputs: Sendable {
    enum Input: Sendable {
        case owner(BusName?)
        case signal(Message)
        /// Standard output was closed by its reader, or a signal ends this program.
        case closed
    }

    /// The maximum number of waiting messages. After a loss, the state is read again.
    private static let maximumWaiting = 1024

    private let mailbox = Mailbox<Input>(.bufferingOldest(maximumWaiting))
    private let hasLost = Atomic(false)
    private let waiting = Atomic(0)

    /// Each must be counted with ``countReceived()``.
    var messages: Mailbox<Input>.Messages { mailbox.messages }

    var isEmpty: Bool { waiting.load(ordering: .relaxed) == 0 }

    func send(_ input: Input) {
        waiting.add(1, ordering: .relaxed)
        if mailbox.send(input) { return }
        countReceived()
        hasLost.store(true, ordering: .relaxed)
    }

    func countReceived() { waiting.subtract(1, ordering: .relaxed) }

    /// Whether a message was lost since the last call.
    func takeLoss() -> Bool { hasLost.exchange(false, ordering: .relaxed) }

    func close() { mailbox.close() }
}

extension FollowedAgent.State {
    /// Reads the state. nil: the replies are from different agents.
    init?(_ root: Proxy) async throws(DBusError) {
        func call(_ path: ObjectPath, _ interface: InterfaceName, _ member: MemberName, _ body: [Value] = [])
            async throws(DBusError) -> Message
        {
            try await root.bus.call(.methodCall(root.destination, path, interface, member, body, autoStart: false))
        }
        let properties = PropertiesInterface.self
        let manager = ObjectManagerInterface.self
        let all = try await call(root.path, properties.name, properties.getAll.name, [.string(AgentRoot.name.text)])
        let objects = try await call(root.path, manager.name, manager.getManagedObjects.name)
        try self.init(all, objects)
        var senders: Set = [owner, objects.sender]
        for path in accounts.objects.keys {
            let list: Message
            do {
                list = try await call(path, AgentInbox.name, AgentInbox.list.name, [Value([String: Value]())])
            } catch  where [.unknownObject, AgentErrors.offline, AgentErrors.unauthorized].contains(error.name) {
                continue  // The account was removed meanwhile, or its inbox is not loaded yet; signals follow.
            }
            try add(list, of: path)
            senders.insert(list.sender)
        }
        guard senders.count == 1 else { return nil }
    }

    /// The state without lists of notifications.
    private init?(_ all: Message, _ objects: Message) throws(DBusError) {
        guard let owner = all.sender, let allValues = all.body.first, let objectsValue = objects.body.first else {
            return nil
        }
        self.owner = owner
        agent = (all.serial, PropertyValues(try [String: Value](dbus: allValues)))
        accounts = (objects.serial, try [ObjectPath: [String: [String: Value]]](dbus: objectsValue))
        lists = [:]
    }

    private mutating func add(_ list: Message, of path: ObjectPath) throws(DBusError) {
        guard let notifications = list.body.first else { return }
        lists[path] = (list.serial, try [[String: Value]](dbus: notifications).map(NotificationRecord.init))
    }
}
