import AgentInterface
import FoundationEssentials
import Testing
import VisibleText

@testable import DBus
@testable import feedbell

/// The events and lines of a follower for messages of the bus.
@Suite struct FollowedAgentTests {
    private let path = AgentNames.accountPath("work")

    private func notification(_ id: String, title: String = "T", read: Int64 = 0, created: Int64 = 0) -> [String: Value]
    {
        var notification = NotificationRecord()
        (notification.id, notification.title) = (id, title)
        (notification.read, notification.created) = (read, created)
        return notification.values
    }

    private func interfaces(_ name: String = "work", state: String = "online", unread: UInt32 = 1)
        -> [String: [String: Value]]
    {
        [
            AgentAccount.name.text: [
                "Name": .string(name), "State": .string(state),
                "LastEvent": .int64(1), "LastError": .structure([.string("E"), .string("Why.")]),
                "AttentionNeeded": .bool(state == "unauthorized"),
            ],
            AgentInbox.name.text: [
                "UnreadCount": .uint32(unread), "Tabs": Value([Structure("all", "All", UInt32(2))]),
            ],
        ]
    }

    /// The state in replies with the serial numbers 10 and 20, and the list with 30.
    private func state(
        _ owner: BusName = ":1.1",
        notifications: [[String: Value]] = [],
        names: [String] = ["work"],
        unread: UInt32 = 1
    )
        -> FollowedAgent.State
    {
        let paths = names.map(AgentNames.accountPath)
        return FollowedAgent.State(
            snapshot: AgentSnapshot(
                owner: owner,
                agent: (
                    10,
                    PropertyValues([
                        "Version": .string("1"), "Accounts": Value(paths), "UnreadCount": .uint32(1),
                        "Paused": .bool(false), "PausedUntil": .int64(0), "AttentionNeeded": .bool(false),
                    ])
                ),
                accounts: (
                    20, Dictionary(uniqueKeysWithValues: zip(paths, names.map { interfaces($0, unread: unread) }))
                )
            ),
            lists: Dictionary(
                uniqueKeysWithValues: paths.map { ($0, (30, notifications.map(NotificationRecord.init))) }
            )
        )
    }

    private func signal<I: Interface, each A>(
        _ signal: InterfaceSignal<I, (repeat each A)>,
        _ serial: UInt32,
        at path: ObjectPath,
        from sender: BusName = ":1.1",
        _ arguments: repeat each A
    ) -> Message {
        var message = Message.signal(path, I.name, signal.name, signal.arguments.values((repeat each arguments)))
        (message.serial, message.sender) = (serial, sender)
        return message
    }

    /// The name of each event, with the title of its notification.
    private func events(_ effects: [FollowedAgent.Effect]) -> [String] {
        struct Event: Decodable {
            struct Notification: Decodable { var title: String }
            var event: String
            var notification: Notification?
        }
        return effects.map { effect in
            guard case .emit(let event) = effect else { return effect == .read ? "read" : "make up" }
            let data = Data(event.json.text.utf8)
            guard let event = try? JSONDecoder().decode(Event.self, from: data) else { return "invalid" }
            return [event.event, event.notification?.title].compactMap(\.self).joined(separator: " ")
        }
    }

    private func knowing(_ notifications: [[String: Value]] = [], unread: UInt32 = 1) -> FollowedAgent {
        var agent = FollowedAgent()
        _ = agent.owner(is: ":1.1")
        _ = agent.restart(with: state(notifications: notifications, unread: unread))
        return agent
    }

    @Test("The first lines contain the state") func initialState() {
        var agent = FollowedAgent()
        #expect(agent.owner(is: ":1.1") == [.read])
        let reported = agent.restart(with: state(notifications: [notification("a"), notification("b", title: "U")]))
        #expect(
            events(reported) == [
                "agent", "totals", "paused", "account", "counts", "notification-listed T", "notification-listed U",
                "ready",
            ]
        )
        #expect(reported[0] == .emit(["event": .string("agent"), "running": .bool(true), "version": .string("1")]))
        guard case .emit(let account) = reported[3], case .emit(let counts) = reported[4] else { return }
        #expect(
            account["account"] == .string("work") && account["error"] == .string("Why.")
                && account["error_name"] == .string("E")
        )
        #expect(
            counts.json.text == """
                {"account":"work","event":"counts","tabs":[{"id":"all","label":"All","unread":2}],"unread":1}
                """
        )
    }

    @Test("Without an agent it waits, and reports that once") func withoutAnAgent() {
        var agent = FollowedAgent()
        #expect(events(agent.owner(is: nil)) == ["agent"])
        #expect(agent.owner(is: nil) == [], "reported once")
        #expect(agent.owner(is: ":1.2") == [.read])
        #expect(events(agent.restart(with: state(":1.2"))).last == "ready")
        #expect(agent.owner(is: ":1.2") == [], "its state is known")
        #expect(agent.owner(is: nil) == [.emit(["event": .string("agent"), "running": .bool(false)])])
        #expect(agent.owner(is: ":1.3") == [.read])
        #expect(events(agent.restart(with: state(":1.3"))).first == "agent")
    }

    @Test("Signals already covered by the replies are ignored") func staleSignals() throws {
        var agent = knowing([notification("a")])
        let added = AgentInbox.notificationAdded
        #expect(try agent.receive(signal(added, 29, at: path, "b", notification("b"))) == [], "sent before the list")
        #expect(try agent.receive(signal(added, 31, at: path, "a", notification("a"))) == [], "known already")
        let changed = signal(
            PropertiesInterface.propertiesChanged,
            19,
            at: path,
            AgentAccount.name.text,
            ["State": .string("x")],
            []
        )
        #expect(try agent.receive(changed) == [])
        let paused = signal(
            PropertiesInterface.propertiesChanged,
            9,
            at: AgentNames.agentPath,
            AgentRoot.name.text,
            ["Paused": .bool(true)],
            []
        )
        #expect(try agent.receive(paused) == [])
    }

    @Test("Signals of other senders are ignored") func foreignSignals() throws {
        var agent = knowing()
        let added = signal(AgentInbox.notificationAdded, 40, at: path, from: ":1.9", "b", notification("b"))
        #expect(try agent.receive(added) == [])
        let unknown = signal(AgentInbox.notificationAdded, 40, at: AgentNames.accountPath("x"), "b", notification("b"))
        #expect(try agent.receive(unknown) == [])
        var malformed = signal(AgentInbox.notificationRemoved, 41, at: path, "a")
        malformed.body = [.uint32(1)]
        #expect(throws: DBusError.self) { try agent.receive(malformed) }
    }

    @Test("Each change of a notification is one event") func notifications() throws {
        var agent = knowing([notification("a")])
        let messages = [
            signal(AgentInbox.notificationAdded, 31, at: path, "b", notification("b", title: "B")),
            signal(AgentInbox.notificationChanged, 32, at: path, "b", notification("b", title: "B2", read: 5)),
            signal(AgentInbox.notificationChanged, 33, at: path, "b", notification("b", title: "B2", read: 5)),
            signal(AgentInbox.notificationRemoved, 34, at: path, "b"),
            signal(AgentInbox.notificationRemoved, 35, at: path, "b"),
            signal(AgentInbox.actionFailed, 36, at: path, "MarkRead", ["a"], "E", "No."),
            signal(AgentPreferences.updateFailed, 37, at: path, "email", "E", "No."),
            signal(AgentPreferences.updated, 38, at: path, [["category": .string("offers")]]),
        ]
        let reported = try messages.flatMap { try agent.receive($0) }
        #expect(
            events(reported) == [
                "notification-added B", "notification-changed B2", "notification-removed B2", "action-failed",
                "preferences-failed", "preferences-updated",
            ]
        )
        guard case .emit(let updated) = reported[5] else { return }
        #expect(
            updated.json.text == """
                {"account":"work","categories":[{"category":"offers"}],"event":"preferences-updated"}
                """
        )
        guard case .emit(let failed) = reported[3] else { return }
        #expect(
            failed.json.text == """
                {"account":"work","action":"MarkRead","error":"No.","error_name":"E","event":"action-failed",\
                "ids":["a"]}
                """
        )
    }

    @Test("Only changed properties are printed") func changedProperties() throws {
        var agent = knowing()
        func change(_ serial: UInt32, at path: ObjectPath, _ interface: InterfaceName, _ values: [String: Value])
            -> Message
        {
            signal(PropertiesInterface.propertiesChanged, serial, at: path, interface.text, values, [])
        }
        let root = AgentNames.agentPath
        let reported = try [
            change(40, at: path, AgentAccount.name, ["State": .string("offline")]),
            change(41, at: path, AgentAccount.name, ["LastEvent": .int64(7)]),
            change(42, at: path, AgentInbox.name, ["UnreadCount": .uint32(2)]),
            change(43, at: path, AgentInbox.name, ["Tabs": Value([Structure("all", "All", UInt32(3))])]),
            change(44, at: root, AgentRoot.name, ["UnreadCount": .uint32(2)]),
            change(45, at: root, AgentRoot.name, ["Paused": .bool(true), "PausedUntil": .int64(9)]),
        ].flatMap { try agent.receive($0) }
        #expect(events(reported) == ["account", "counts", "counts", "totals", "paused"])
        #expect(
            reported.last
                == .emit(["event": .string("paused"), "paused": .bool(true), "paused_until": .number(9)])
        )
    }

    @Test("Added and removed accounts are printed") func accounts() throws {
        var agent = knowing()
        let home = AgentNames.accountPath("home")
        let root = AgentNames.agentPath
        let added = signal(ObjectManagerInterface.interfacesAdded, 40, at: root, home, interfaces("home"))
        #expect(events(try agent.receive(added)) == ["account", "counts"])
        let arrived = signal(AgentInbox.notificationAdded, 41, at: home, "b", notification("b"))
        #expect(events(try agent.receive(arrived)) == ["notification-added T"])
        let removed = signal(ObjectManagerInterface.interfacesRemoved, 42, at: root, home, [AgentAccount.name.text])
        #expect(
            try agent.receive(removed)
                == [.emit(["event": .string("account-removed"), "account": .string("home")])]
        )
        #expect(try agent.receive(removed) == [])
    }

    @Test("Only the chosen account is followed") func oneAccount() throws {
        var agent = FollowedAgent(only: path)
        _ = agent.owner(is: ":1.1")
        let reported = agent.restart(with: state(names: ["home", "work"]))
        #expect(events(reported) == ["agent", "paused", "account", "counts", "ready"])
        let home = signal(AgentInbox.notificationAdded, 41, at: AgentNames.accountPath("home"), "b", notification("b"))
        #expect(try agent.receive(home) == [])
    }

    @Test("State is read again after lost signals") func lostSignals() throws {
        var agent = knowing([notification("a")])
        #expect(events(agent.lost()) == ["behind", "read"])
        #expect(try agent.receive(signal(AgentInbox.notificationAdded, 50, at: path, "b", notification("b"))) == [])
        #expect(
            events(agent.restart(with: state(notifications: [notification("a"), notification("b")]))).filter {
                $0 == "notification-listed T"
            }
            .count == 2
        )
    }

    private func arrived(_ id: String, created: Int64, serial: UInt32) -> Message {
        signal(AgentInbox.notificationArrived, serial, at: path, id, notification(id, title: id, created: created))
    }

    private func records(_ notifications: [(String, Int64)]) -> [NotificationRecord] {
        notifications.map { NotificationRecord(notification($0.0, title: $0.0, created: $0.1)) }
    }

    @Test("After lost signals, what arrived meanwhile is reported once, oldest first") func madeUp() throws {
        let minute: Int64 = 60_000
        let old = [notification("old", created: 100 * minute)]
        var agent = knowing(old)
        #expect(
            events(try agent.receive(arrived("a", created: 101 * minute, serial: 50))) == ["notification-arrived a"]
        )
        #expect(events(agent.lost([path: ["c", "gone", "d"]])) == ["behind", "read"])
        let effects = agent.restart(with: state(notifications: old))
        #expect(effects.last == .makeUp(path, since: 91 * minute, ids: ["c", "d", "gone"]))
        let found = records([
            ("d", 50 * minute), ("c", 103 * minute), ("b", 102 * minute), ("a", 101 * minute), ("old", 100 * minute),
        ])
        let made = agent.madeUp(found, of: path)
        #expect(
            events(made) == [
                "notification-arrived d", "notification-arrived b", "notification-arrived c", "missed",
            ]
        )
        guard case .emit(let missed)? = made.last else { return }
        #expect(missed.json.text == "{\"account\":\"work\",\"count\":1,\"event\":\"missed\"}")
        // It still waited, and was made before the state was read.
        #expect(try agent.receive(arrived("b", created: 102 * minute, serial: 5)) == [])
        #expect(
            events(try agent.receive(arrived("e", created: 102 * minute, serial: 6))) == ["notification-arrived e"]
        )
        #expect(events(agent.lost()) == ["behind", "read"])
        #expect(agent.restart(with: state()).last == .makeUp(path, since: 93 * minute, ids: []))
        #expect(agent.madeUp(found, of: path) == [])
    }

    @Test("Without a notification, what arrived is asked for from the start on, of each followed account")
    func madeUpFromStart() throws {
        let home = AgentNames.accountPath("home")
        var agent = FollowedAgent(only: home, now: 700_000)
        _ = agent.owner(is: ":1.1")
        _ = agent.restart(with: state(names: ["home", "work"]))
        _ = agent.lost([path: ["x"]])
        let effects = agent.restart(with: state(names: ["home", "work"]))
        let asked = effects.filter { if case .makeUp = $0 { true } else { false } }
        #expect(asked == [.makeUp(home, since: 100_000, ids: [])])
        #expect(agent.madeUp([], of: home) == [])
    }

    @Test("What was there when the follower began has not arrived, unless its arrival was lost") func listedBefore() {
        var agent = knowing([notification("a", created: 5), notification("b", created: 6)])
        _ = agent.lost([path: ["b"]])
        _ = agent.restart(with: state())
        let events = events(agent.madeUp(records([("a", 5), ("b", 6)]), of: path))
        #expect(events == ["notification-arrived b"])
    }

    @Test("Counts are null until the service reports them") func unknownCounts() throws {
        var agent = FollowedAgent()
        var start = state(unread: 0)
        start.snapshot.accounts.objects[path]?[AgentAccount.name.text]?["LastEvent"] = .int64(0)
        let effects = agent.restart(with: start)
        guard case .emit(let unknown) = effects[4] else { return }
        #expect(
            unknown.json.text == """
                {"account":"work","event":"counts","tabs":[{"id":"all","label":"All","unread":null}],"unread":null}
                """
        )
        let counted = try agent.receive(change(41, at: path, AgentAccount.name, ["LastEvent": .int64(5)]))
        #expect(events(counted) == ["counts"])
        guard case .emit(let known) = counted.first else { return }
        #expect(known["unread"] == .number(0))
    }

    @Test("An event contains the keys of a newer agent") func unknownKeys() throws {
        var agent = knowing()
        let values = notification("b").merging(["mood": .string("fine")]) { $1 }
        let effects = try agent.receive(signal(AgentInbox.notificationAdded, 31, at: path, "b", values))
        guard case .emit(let event) = effects.first else { return }
        #expect(event["notification"]?.text.contains(#""mood":"fine""#) == true)
    }

    // MARK: Status bars

    @Test("A bar shows the count, the states that apply and the newest titles") func statusBar() throws {
        var agent = knowing(
            [
                notification("a", title: "Old", created: 1),
                notification("b", title: "<b>Tom & \"Jerry\"'s\u{1B}[31m", created: 3),
                notification("c", title: "Read", read: 1, created: 2),
            ],
            unread: 2
        )
        #expect(
            agent.statusBar(now: 0).waybar.text == """
                {"alt":"unread","class":["unread"],"text":"2",\
                "tooltip":"2 unread\\n• &lt;b&gt;Tom &amp; &quot;Jerry&quot;&#39;s[31m\\n• Old"}
                """
        )
        #expect(agent.statusBar(now: 0).polybar == "2")
        let arrived = signal(
            AgentInbox.notificationAdded,
            39,
            at: path,
            "n",
            notification("n", title: "New", created: 4)
        )
        _ = try agent.receive(arrived)
        #expect(agent.statusBar(now: 0).tooltip.count == 3, "the count, which comes next, and the titles agree")
        let pause = signal(
            PropertiesInterface.propertiesChanged,
            40,
            at: AgentNames.agentPath,
            AgentRoot.name.text,
            ["Paused": .bool(true)],
            []
        )
        _ = try agent.receive(pause)
        #expect(agent.statusBar(now: 0).classes == ["paused", "unread"])
        #expect(agent.statusBar(now: 0).polybar == "2 paused")
        let refused = signal(
            PropertiesInterface.propertiesChanged,
            41,
            at: path,
            AgentAccount.name.text,
            ["State": .string("unauthorized"), "AttentionNeeded": .bool(true)],
            []
        )
        _ = try agent.receive(refused)
        let bar = agent.statusBar(now: 0)
        #expect(bar.classes == ["attention", "paused", "unread"])
        #expect(bar.tooltip.prefix(3) == ["2 unread", "Popups are paused", "work: unauthorized: Why."])
        #expect(bar.polybar == "2 attention paused")
        _ = agent.owner(is: nil)
        #expect(agent.statusBar(now: 0).classes == ["offline"])
        #expect(agent.statusBar(now: 0).polybar == "offline")
    }

    @Test("A bar shows no number before one is known") func noNumberYet() throws {
        var agent = FollowedAgent()
        #expect(agent.statusBar(now: 0).waybar.text.contains("\"text\":\"\""), "no agent runs")
        #expect(agent.statusBar(now: 0).polybar == "offline")
        var start = state(unread: 0)
        start.snapshot.accounts.objects[path]?[AgentAccount.name.text]?.merge([
            "State": .string("connecting"), "LastEvent": .int64(0),
            "LastError": .structure([.string(""), .string("")]),
        ]) { $1 }
        _ = agent.restart(with: start)
        #expect(
            agent.statusBar(now: 0).waybar.text == """
                {"alt":"starting","class":["starting"],"text":"","tooltip":"Unread: unknown\\nwork: connecting"}
                """
        )
        #expect(agent.statusBar(now: 0).polybar == "starting")
        _ = try agent.receive(change(41, at: path, AgentAccount.name, ["State": .string("online")]))
        #expect(agent.statusBar(now: 0).waybar.text.contains("\"text\":\"\""), "connected, but nothing is counted")
        _ = try agent.receive(change(42, at: path, AgentInbox.name, ["UnreadCount": .uint32(0)]))
        _ = try agent.receive(change(43, at: path, AgentAccount.name, ["LastEvent": .int64(5)]))
        #expect(
            agent.statusBar(now: 0).waybar.text
                == #"{"alt":"none","class":["none"],"text":"0","tooltip":"Nothing unread"}"#
        )
    }

    @Test("A bar shows what is known of one account before another is known") func partlyKnown() {
        var agent = FollowedAgent()
        var state = state(names: ["home", "work"], unread: 3)
        state.snapshot.accounts.objects[path] = interfaces(state: "offline", unread: 0)
        state.snapshot.accounts.objects[path]?[AgentAccount.name.text]?["LastEvent"] = .int64(0)
        _ = agent.restart(with: state)
        let bar = agent.statusBar(now: 0)
        #expect(bar.polybar == "3 offline")
        #expect(bar.tooltip == ["3 unread, not all accounts known yet", "work: offline: Why."])
    }

    @Test("The reasons why popups are held back are in a bar and among the events") func heldBack() throws {
        var agent = knowing([], unread: 2)
        let reasons = ["pause", "quiet", "do-not-disturb", "server-full"]
        let effects = try agent.receive(
            change(40, at: AgentNames.agentPath, AgentRoot.name, ["Paused": .bool(true), "HeldBack": Value(reasons)])
        )
        #expect(events(effects) == ["paused"])
        guard case .emit(let event) = effects.first else { return }
        #expect(
            event.json.text
                == #"""
                {"event":"paused","held_back":["pause","quiet","do-not-disturb","server-full"],"paused":true,\#
                "paused_until":0}
                """#
        )
        var bar = agent.statusBar(now: 0)
        #expect(bar.classes == ["paused", "quiet", "do-not-disturb", "server-full", "unread"])
        #expect(bar.polybar == "2 paused quiet do-not-disturb server-full")
        #expect(
            bar.tooltip == [
                "2 unread", "Popups are paused", "Popups are held back: quiet hours",
                "Popups are held back: do not disturb",
                "Popups are held back: the notification server rejects more",
            ]
        )
        _ = try agent.receive(
            change(
                41,
                at: AgentNames.agentPath,
                AgentRoot.name,
                ["Paused": .bool(false), "HeldBack": Value(["quiet"])]
            )
        )
        bar = agent.statusBar(now: 0)
        #expect(bar.classes == ["quiet", "unread"] && bar.waybar.text.hasPrefix("{\"alt\":\"quiet\""))
    }

    private func change(_ serial: UInt32, at path: ObjectPath, _ interface: InterfaceName, _ values: [String: Value])
        -> Message
    {
        signal(PropertiesInterface.propertiesChanged, serial, at: path, interface.text, values, [])
    }

    @Test("The tooltip of a bar is limited") func tooltipLimit() {
        let notifications = (0..<200).map {
            notification("\($0)", title: String(repeating: "長", count: 10_000), created: $0)
        }
        var agent = FollowedAgent()
        var state = state(notifications: notifications)
        state.snapshot.accounts.objects[path] = interfaces(unread: 200)
        _ = agent.restart(with: state)
        let bar = agent.statusBar(now: 0)
        #expect(bar.tooltip.count == 12)
        #expect(bar.tooltip.last == "… and 190 more")
        #expect(bar.tooltip.allSatisfy { $0.columns <= 80 })
        #expect(bar.waybar.text.utf8.count < 4000)
    }
}
