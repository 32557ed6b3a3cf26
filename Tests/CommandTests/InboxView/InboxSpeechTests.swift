import AgentInterface
import DBus
import Testing
import VisibleText

@testable import feedbell

/// The sentences of `feedbell inbox --plain`.
@Suite struct InboxSpeechTests {
    /// Noon in UTC.
    private static let now: Int64 = 1_763_726_400_000
    private static let time = LocalTime(now).text(now: now)

    private static func notification(_ id: String, isRead: Bool = false) -> NotificationRecord {
        var notification = NotificationRecord()
        (notification.id, notification.title, notification.account) = (id, "Nr \(id)", "work")
        (notification.body, notification.created, notification.read) = ("A text.", now, isRead ? now : 0)
        return notification
    }

    private static func contents(_ notifications: [NotificationRecord]) -> TestScreen.Contents {
        let account = AccountState.reported("work", unread: 2, capabilities: [.archive, .preferences])
        return TestScreen.Contents(accounts: [account], notifications: notifications, now: now)
    }

    /// What the screen receives.
    private enum Step {
        case contents([NotificationRecord])
        case key(TerminalKey)
        case event(InboxScreen.Event)
    }

    /// The sentences after each of these steps.
    private static func said(_ steps: [Step], _ screen: inout TestScreen, _ speech: inout InboxSpeech) -> [[String]] {
        steps.map { step in
            switch step {
            case .contents(let notifications): _ = screen.receive(contents(notifications))
            case .key(let key): _ = screen.receive(.key(key))
            case .event(let event): _ = screen.receive(event)
            }
            return speech.lines(screen.screen)
        }
    }

    @Test("Each event says what has changed, and nothing twice") func changes() {
        var screen = TestScreen(account: "work", columns: 80, rows: 24)
        var speech = InboxSpeech()
        let list = [Self.notification("1"), Self.notification("2", isRead: true)]
        var new = Self.notification("3")
        new.created += 1000
        let said = Self.said(
            [
                .contents(list), .contents(list), .key(.down), .key(.character(" ")), .key(.escape),
                .event(.agent([.arrived("3")])), .contents([new] + list), .key(.character("a")),
                .key(.character("#")),
            ],
            &screen,
            &speech
        )
        #expect(
            said == [
                ["Inbox", "1 of 2, unread: Nr 1, \(Self.time)"], [], ["2 of 2: Nr 2, \(Self.time)"],
                ["2 of 2, marked: Nr 2, \(Self.time)"], ["2 of 2: Nr 2, \(Self.time)"],
                [], ["New: Nr 3", "3 of 3: Nr 2, \(Self.time)"],
                ["2 of 2, unread: Nr 1, \(Self.time)", "1 notification archived"],
                ["This key does nothing here. Press ? for help."],
            ]
        )
    }

    @Test("A text, what is typed and a cell of the preferences are said") func modes() {
        var screen = TestScreen(account: "work", columns: 80, rows: 24)
        var speech = InboxSpeech()
        var category = CategoryRecord()
        (category.id, category.name, category.isEditable) = ("builds", "Builds", true)
        category.channels = [CategoryChannel(name: "email", preference: .on, isEditable: true)]
        let said = Self.said(
            [
                .contents([Self.notification("1", isRead: true)]), .key(.enter), .key(.escape),
                .key(.character("/")), .key(.character("x")), .key(.escape), .key(.character("P")),
                .event(.preferencesLoaded(account: "work", [category], failure: nil)), .key(.character(" ")),
            ],
            &screen,
            &speech
        )
        #expect(said[1] == ["Nr 1", Self.time, "A text."])
        #expect(said[2] == ["Inbox", "1 of 1: Nr 1, \(Self.time)"])
        #expect(said[3] == ["Search: "] && said[4] == ["Search: x"])
        #expect(said[6] == ["Preferences, work"] && said[7] == ["Builds, email: on"])
        #expect(said[8] == ["Builds, email: off"])
    }

    @Test("The place is said once all lists are there, at the first notification of all accounts") func place() {
        var screen = TestScreen(columns: 80, rows: 24)
        var speech = InboxSpeech()
        var (newest, older) = (Self.notification("3"), Self.notification("1"))
        newest.created = Self.now + 1000
        older.account = "home"
        var answered = 0
        /// What is said while one request after the other is answered.
        func answer(_ list: [NotificationRecord]) -> [[String]] {
            var said: [[String]] = []
            while answered < screen.requests.count {
                said.append(speech.lines(screen.screen))
                let request = screen.requests[answered]
                answered += 1
                let own = list.filter { $0.account == request.account }
                let isFirst = request.options.offset == 0
                let reply = ListReply.notifications(isFirst ? own : own.suffix(1), problem: "")
                _ = screen.receive(.listed(request, reply), now: Self.now)
            }
            return (said + [speech.lines(screen.screen)]).filter { !$0.isEmpty }
        }
        let accounts = ["home", "work"].map { AccountState.reported($0, unread: 1, capabilities: [.archive]) }
        _ = screen.receive(.agent([.accounts(accounts), .running]), now: Self.now)
        let time = LocalTime(newest.created).text(now: Self.now)
        #expect(answer([older, newest]) == [["All accounts, Inbox", "1 of 2, unread: Nr 3, work, \(time)"]])
        _ = screen.receive(.key(.down))
        #expect(speech.lines(screen.screen) == ["2 of 2, unread: Nr 1, home, \(Self.time)"])
        _ = screen.receive(.key(.character("Z")))
        #expect(answer([newest]) == [["All accounts, Inbox, snoozed", "1 of 1, unread: Nr 3, work, \(time)"]])
    }

    @Test("A mark that is set or removed is said, and what is done with the marked ones") func marks() {
        var screen = TestScreen(account: "work", columns: 80, rows: 24)
        var speech = InboxSpeech()
        let list = ["1", "2", "3"].map { Self.notification($0) }
        let said = Self.said(
            [
                .contents(list), .key(.character(" ")), .key(.character(" ")), .key(.character("r")), .key(.home),
                .key(.character(" ")), .key(.up), .key(.character(" ")), .key(.character("*")), .key(.escape),
            ],
            &screen,
            &speech
        )
        #expect(
            said == [
                ["Inbox", "1 of 3, unread: Nr 1, \(Self.time)"],
                ["Marked: Nr 1", "2 of 3, unread: Nr 2, \(Self.time)"],
                ["Marked: Nr 2", "3 of 3, unread: Nr 3, \(Self.time)"], ["2 notifications marked as read"],
                ["1 of 3, unread: Nr 1, \(Self.time)"], ["Marked: Nr 1", "2 of 3, unread: Nr 2, \(Self.time)"],
                ["1 of 3, unread, marked: Nr 1, \(Self.time)"],
                ["No longer marked: Nr 1", "2 of 3, unread: Nr 2, \(Self.time)"],
                ["3 marked", "2 of 3, unread, marked: Nr 2, \(Self.time)"],
                ["0 marked", "2 of 3, unread: Nr 2, \(Self.time)"],
            ]
        )
    }

    @Test("A line says what is pinned and muted, and the buttons") func facts() {
        var screen = TestScreen(account: "work", columns: 80, rows: 24)
        var speech = InboxSpeech()
        var notification = Self.notification("1", isRead: true)
        (notification.isPinned, notification.isMuted) = (true, true)
        notification.actions = ["Open", "Later"].map { ["id": .string($0), "label": .string($0)] }
        let said = Self.said([.contents([notification])], &screen, &speech)
        #expect(said == [["Inbox", "1 of 1, pinned, muted: Nr 1, \(Self.time), 2 buttons: Open, Later"]])
    }
}
