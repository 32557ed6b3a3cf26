import AgentInterface
import Basics
import DBus
import ProgramKit
import VisibleText

/// Runs ``InboxScreen`` on the terminal, until the user quits or the terminal is closed.
struct InboxView {
    private enum Input: Sendable {
        case terminal(TerminalScreen.Event)
        case screen(InboxScreen.Event)
        /// There are ``reports``.
        case reports
        /// No byte followed for ``escapeDelay``; the number of the last input.
        case escapeDelayPassed(Int)
        /// A ping was answered, or failed.
        case pinged

        var isOfAgent: Bool {
            switch self {
            case .screen, .reports: true
            case .terminal, .escapeDelayPassed, .pinged: false
            }
        }
    }

    /// The time in which the bytes of one key arrive.
    private static let escapeDelay = Duration.milliseconds(50)

    let requests: InboxRequests
    /// The account to show; nil: all.
    let account: String?
    /// The notification to begin with, of this account; nil: there is none.
    let shown: String?
    /// Whether changes are appended in sentences, see ``InboxSpeech``.
    let isPlain: Bool
    /// Whether only the table of preferences is shown.
    let isForPreferences: Bool
    /// How long an agent that works takes to answer a ping.
    let timeout: Duration
    private let inputs = Mailbox<Input>()
    private let reports = AgentReports()
    /// The user's changes, which are requested in the order of the keys.
    private let changes = Mailbox<(InboxScreen.Request, account: String)>()

    init(
        root: AgentObject,
        account: String?,
        shown: String? = nil,
        timeout: Duration,
        isPlain: Bool = false,
        isForPreferences: Bool = false
    ) {
        (requests, self.account, self.timeout) = (InboxRequests(root: root), account, timeout)
        (self.shown, self.isPlain, self.isForPreferences) = (shown, isPlain, isForPreferences)
    }

    func run() async throws {
        let bus = requests.root.proxy.bus
        // Before the terminal is taken: a failure is an ordinary error message.
        for object in try await requests.root.accountObjects(account) {
            _ = try await object.properties(AgentAccount.self)
        }
        let terminal = try TerminalScreen(isPlain: isPlain) { inputs.send(.terminal($0)) }
        defer { terminal.close() }
        let isComplete = await withTaskGroup { group in
            group.addTask {
                try? await AgentWatch(bus: bus).run { if reports.add($0) { inputs.send(.reports) } }
                inputs.send(.screen(.unavailable(translated("The connection to the session bus ended."))))
            }
            group.addTask {
                let watch = FileWatch(paths: [FileWatch.timeZoneFile], loop: bus.loop)
                // Without a watch, times follow at the next event.
                _ = await watch.run(changed: { inputs.send(.screen(.timeZoneChanged)) })
            }
            // The user's actions are performed to their end.
            let isComplete = await withTaskGroup { actions in
                actions.addTask {
                    for await (request, account) in changes.messages { await send(request, of: account) }
                }
                let underWay = await serve(terminal, &group, &actions)
                changes.close()
                if underWay == 0 { return true }
                let isAnswered = await ping(timeout)
                if !isAnswered { actions.cancelAll() }
                return isAnswered
            }
            group.cancelAll()
            return isComplete
        }
        if isComplete { return }
        throw Failure(
            translated("The agent does not answer: your last changes may be lost. See: feedbell doctor"),
            .noAnswer
        )
    }

    /// - Parameter timeout: nil: none.
    /// - Returns: Whether the agent, if there is one, answers in time.
    private func ping(_ timeout: Duration?) async -> Bool {
        do {
            try await requests.root.proxy.call(PeerInterface.ping, timeout: timeout, autoStart: false)
            return true
        } catch {
            return error.name != .timeout
        }
    }

    /// Reports an agent that does not answer. A ping needs no service, which may take longer.
    private func watchAnswer() async {
        if await !ping(timeout) {
            inputs.send(.screen(.agentSilent))
            _ = await ping(nil)
            inputs.send(.screen(.agentAnswered))
        }
        inputs.send(.pinged)
    }

    /// - Returns: The number of requests that had not ended when the user quit, except those that only read.
    private func serve(
        _ terminal: TerminalScreen,
        _ group: inout TaskGroup<Void>,
        _ actions: inout TaskGroup<Void>
    ) async -> Int {
        let size = TerminalScreen.size
        var screen = InboxScreen(
            account: account,
            shown: shown,
            columns: size.columns,
            rows: size.rows,
            isForPreferences: isForPreferences
        )
        var (keys, inputNumber) = (TerminalKeyDecoder(), 0)
        var speech = InboxSpeech()
        var (isPinged, underWay) = (false, 0)
        for await input in inputs.messages {
            var events: [InboxScreen.Event] = []
            switch input {
            case .terminal(.ended): events = [.ended]
            case .terminal(.resized):
                let size = TerminalScreen.size
                events = [.resized(columns: size.columns, rows: size.rows)]
            case .terminal(.input(let bytes)):
                events = keys.decode(bytes).map(InboxScreen.Event.init)
                inputNumber += 1
                guard keys.isPending else { break }
                send(.escapeDelayPassed(inputNumber), after: Self.escapeDelay, &group)
            case .escapeDelayPassed(let number):
                if number == inputNumber { events = keys.finish().map { .key($0) } }
            case .reports: events = [.agent(reports.take())]
            case .pinged: isPinged = false
            case .screen(let event): events = [event]
            }
            for event in events {
                if case .finished(let request, _, _) = event, request.kind != .reading { underWay -= 1 }
                for effect in screen.receive(event, now: LocalTime.now) {
                    if effect.needsAgent, !isPinged {
                        isPinged = true
                        group.addTask { await watchAnswer() }
                    }
                    switch effect {
                    case .quit: return underWay
                    case .suspend: terminal.suspend()
                    case .watchRows: send(.screen(.watched), after: .seconds(1), &group)
                    case .runClock(let number, let milliseconds):
                        send(.screen(.clock(number)), after: .milliseconds(milliseconds), &group)
                    case .list(let request):
                        group.addTask {
                            inputs.send(.screen(.listed(request, await requests.reply(to: request))))
                        }
                    case .loadPreferences(let account):
                        group.addTask { inputs.send(.screen(await requests.preferences(of: account))) }
                    case .send(let request, let account):
                        if request.kind != .reading { underWay += 1 }
                        switch request.kind {
                        case .change: changes.send((request, account: account))
                        case .opening: actions.addTask { await send(request, of: account) }
                        case .reading: group.addTask { await send(request, of: account) }
                        }
                    }
                }
            }
            // Otherwise numbers would be shown before their rows. The reply follows.
            if input.isOfAgent, screen.lists.isRefreshing, !screen.isAgentSilent { continue }
            if isPlain { terminal.print(speech.lines(screen)) } else { draw(screen, terminal) }
        }
        return underWay
    }

    private func send(_ input: Input, after time: Duration, _ group: inout TaskGroup<Void>) {
        group.addTask {
            guard (try? await Task.sleep(for: time)) != nil else { return }
            inputs.send(input)
        }
    }

    private func send(_ request: InboxScreen.Request, of account: String) async {
        do {
            if request == .undo {
                for undone in try await requests.root.undo(of: account.isEmpty ? nil : account) {
                    inputs.send(
                        .screen(
                            undone.hasFailed
                                ? .finished(.undo, account: undone.account, failure: undone.sentence)
                                : .tookBack(undone)
                        )
                    )
                }
            } else {
                try await requests.send(request, of: account)
            }
            inputs.send(.screen(.finished(request, account: account, failure: nil)))
        } catch {
            inputs.send(.screen(.finished(request, account: account, failure: InboxRequests.sentence(error))))
        }
    }

    private func draw(_ screen: InboxScreen, _ terminal: TerminalScreen) {
        guard let style = Terminal.standardOutput else { return }
        terminal.draw(screen.lines(style), cursor: screen.cursor)
    }
}

extension InboxScreen.Event {
    fileprivate init(_ input: TerminalInput) {
        switch input {
        case .key(let key): self = .key(key)
        case .mouse(let mouse): self = .mouse(mouse)
        case .paste(let text): self = .pasted(text)
        }
    }
}
