import AgentInterface
import Basics
import DBus
import InboxPresentation
import Translation

/// Runs ``InboxScreen`` on the terminal, until the user quits or the terminal is closed.
struct InboxView {
    private enum Input: Sendable {
        case terminal(TerminalScreen.Event)
        case screen(InboxScreen.Event)
        /// No byte followed for ``escapeDelay``; the number of the last input.
        case escapeDelayPassed(Int)
    }

    /// The time in which the bytes of one key arrive.
    private static let escapeDelay = Duration.milliseconds(50)

    let root: AgentObject
    /// The account to show; nil: all.
    let account: String?

    func run() async throws {
        let inputs = Mailbox<Input>()
        let bus = root.proxy.bus
        let rule = MatchRule(sender: AgentNames.busName, pathNamespace: AgentNames.agentPath)
        // Each change leads to the same request, so one is enough.
        let signals = try await bus.signals(matching: rule, buffering: .bufferingNewest(1))
        let owners = try await bus.nameOwnerChanges(of: AgentNames.busName)
        // Before the terminal is taken: a failure is an ordinary error message.
        let contents = try await load(InboxScreen.Place(account: account))
        let terminal = try TerminalScreen { inputs.send(.terminal($0)) }
        defer { terminal.close() }
        await withTaskGroup { group in
            group.addTask { for await _ in signals { inputs.send(.screen(.changed)) } }
            group.addTask {
                for await _ in owners { inputs.send(.screen(.changed)) }
                inputs.send(.screen(.unavailable(translated("The connection to the session bus ended."))))
            }
            // The user's actions are performed to their end.
            await withTaskGroup { actions in await serve(inputs, contents, terminal, &group, &actions) }
            group.cancelAll()
        }
    }

    private func serve(
        _ inputs: Mailbox<Input>,
        _ contents: InboxScreen.Contents,
        _ terminal: TerminalScreen,
        _ group: inout TaskGroup<Void>,
        _ actions: inout TaskGroup<Void>
    ) async {
        let size = TerminalScreen.size
        var screen = InboxScreen(account: account, columns: size.columns, rows: size.rows)
        var (keys, inputNumber) = (TerminalKeyDecoder(), 0)
        inputs.send(.screen(.loaded(contents)))
        for await input in inputs.messages {
            var events: [InboxScreen.Event] = []
            switch input {
            case .terminal(.ended): return
            case .terminal(.resized):
                let size = TerminalScreen.size
                events = [.resized(columns: size.columns, rows: size.rows)]
            case .terminal(.input(let bytes)):
                events = keys.decode(bytes).map { .key($0) }
                inputNumber += 1
                guard keys.isPending else { break }
                group.addTask { [inputNumber] in
                    try? await Task.sleep(for: Self.escapeDelay)
                    inputs.send(.escapeDelayPassed(inputNumber))
                }
            case .escapeDelayPassed(let number):
                if number == inputNumber { events = keys.finish().map { .key($0) } }
            case .screen(let event): events = [event]
            }
            for event in events {
                for effect in screen.receive(event, now: LocalTime.now) {
                    switch effect {
                    case .quit: return
                    case .suspend: terminal.suspend()
                    case .loadSoon:
                        group.addTask {
                            guard (try? await Task.sleep(for: .seconds(1))) != nil else { return }
                            inputs.send(.screen(.waited))
                        }
                    case .watchRows:
                        group.addTask {
                            guard (try? await Task.sleep(for: .seconds(1))) != nil else { return }
                            inputs.send(.screen(.watched))
                        }
                    case .runCountdown(let number, let milliseconds):
                        group.addTask {
                            guard (try? await Task.sleep(for: .milliseconds(milliseconds))) != nil else { return }
                            inputs.send(.screen(.countdownPassed(number: number)))
                        }
                    case .load(let place):
                        group.addTask { inputs.send(.screen(await reply(loading: place))) }
                    case .perform(let request, let account):
                        if request.isAction {
                            actions.addTask { inputs.send(.screen(await reply(performing: request, of: account))) }
                        } else {
                            group.addTask { inputs.send(.screen(await reply(performing: request, of: account))) }
                        }
                    }
                }
            }
            draw(screen, terminal)
        }
    }

    private func draw(_ screen: InboxScreen, _ terminal: TerminalScreen) {
        guard let style = Terminal.standardOutput else { return }
        terminal.draw(screen.lines(style))
    }

    // MARK: Requests

    private func reply(loading place: InboxScreen.Place) async -> InboxScreen.Event {
        do { return .loaded(try await load(place)) } catch { return .unavailable(Self.sentence(error)) }
    }

    private func load(_ place: InboxScreen.Place) async throws -> InboxScreen.Contents {
        let found = try await root.accounts()
        let objects = found.values.sorted { Self.name(of: $0) < Self.name(of: $1) }
        let accounts = objects.map(InboxScreen.Account.init)
        // Without an account it throws the failure that says so.
        let names = place.account.map { [$0] } ?? accounts.map(\.name)
        var inboxes: [AgentObject] = names.isEmpty ? [try await root.account(nil)] : []
        for name in names { inboxes.append(try await root.account(name)) }
        var options = ListOptions()
        options.tab = place.tab.isEmpty ? nil : place.tab
        options.snoozed = false
        options.text = place.search.isEmpty ? nil : place.search
        let now = LocalTime.now
        var contents = InboxScreen.Contents(accounts: accounts, place: place, notifications: [], now: now)
        do {
            contents.notifications = try await MergedList(of: inboxes, tab: options.tab, options).notifications
        } catch let failure as Failure {
            let waiting = inboxes.compactMap { found[$0.proxy.path] }.map { PropertyValues<AgentAccount>(in: $0) }
            guard failure.code == .offline || failure.code == .attentionNeeded,
                let account = waiting.first(where: { !$0.isCounted })
            else { throw failure }
            contents.notLoaded = AccountWords.notLoaded(account, now: now)
        }
        return contents
    }

    private static func name(of object: [String: [String: Value]]) -> String {
        PropertyValues<AgentAccount>(in: object)[AgentAccount.accountName] ?? ""
    }

    private func reply(performing request: InboxScreen.Request, of account: String) async -> InboxScreen.Event {
        do {
            try await perform(request, of: account)
            return .finished(request, failure: nil)
        } catch {
            return .finished(request, failure: Self.sentence(error))
        }
    }

    private func perform(_ request: InboxScreen.Request, of account: String) async throws {
        let inbox = try await root.account(account)
        switch request {
        case .open(let id): try await inbox.call(AgentInbox.open, id, PlatformData().values)
        case .invoke(let id, let action):
            try await inbox.call(AgentInbox.invoke, id, action, PlatformData().values)
        case .markSeen(let ids): try await inbox.call(AgentInbox.markSeen, ids)
        case .resetBadge: try await inbox.call(AgentInbox.resetBadge)
        case .markRead(let id): try await inbox.call(AgentInbox.markRead, [id])
        case .markUnread(let id): try await inbox.call(AgentInbox.markUnread, [id])
        case .archive(let id): try await inbox.call(AgentInbox.archive, [id])
        case .unarchive(let id): try await inbox.call(AgentInbox.unarchive, [id])
        case .delete(let id): try await inbox.call(AgentInbox.delete, [id])
        case .snooze(let id, let until): try await inbox.call(AgentInbox.snooze, [id], until)
        case .markAllRead: try await inbox.call(AgentInbox.markAllRead)
        case .refresh: try await inbox.call(AgentInbox.refresh)
        case .more(let tab): try await inbox.call(AgentInbox.fetchMore, tab)
        }
    }

    private static func sentence(_ error: any Error) -> String { (error as? Failure)?.sentence ?? "\(error)" }
}

extension InboxScreen.Account {
    /// An account's object.
    fileprivate init(_ object: [String: [String: Value]]) {
        let account = PropertyValues<AgentAccount>(in: object)
        let inbox = PropertyValues<AgentInbox>(in: object)
        let state = account[AgentAccount.state] ?? ""
        let capabilities = account[AgentAccount.capabilities] ?? []
        self.init(
            name: account[AgentAccount.accountName] ?? "",
            unread: account.isCounted ? inbox[AgentInbox.unreadCount] : nil,
            state: state == "online" ? "" : state,
            tabs: (inbox[AgentInbox.tabs] ?? []).map { tab in
                let (id, label, unread) = tab.elements
                return InboxScreen.Tab(id: id, label: label.isEmpty ? id : label, unread: unread)
            },
            age: AccountWords.age(of: inbox[AgentInbox.asOf] ?? 0, account, now: LocalTime.now) ?? "",
            recordsSeen: capabilities.contains("seen"),
            badge: capabilities.contains("server-badge") ? inbox[AgentInbox.badgeCount] ?? 0 : 0
        )
    }
}
