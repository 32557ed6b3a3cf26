import AgentInterface
import ArgumentParser
import DBus
import Testing
import VisibleText

@testable import feedbell

/// External text neither controls the terminal nor disguises its content, wherever it is printed.
@Suite struct VisibleOutputTests {
    /// The word between control characters and invisible characters.
    static func disguised(_ word: String) -> String {
        "\u{202E}\u{1B}[31m\(word)\u{2066}\u{9B}2J\u{200B}\u{7}"
    }

    static let notification: NotificationRecord = {
        var notification = NotificationRecord()
        (notification.id, notification.title, notification.body) = (
            disguised("id"), disguised("title"), disguised("body")
        )
        (notification.subtext, notification.url) = (disguised("subtext"), disguised("url"))
        (notification.category, notification.created) = (disguised("category"), 1_763_726_400_000)
        return notification
    }()

    static let status: StatusReport = {
        var account = StatusReport.Account(
            name: disguised("name"),
            provider: disguised("provider"),
            user: disguised("user"),
            state: disguised("state")
        )
        account.error = disguised("error")
        return StatusReport(version: disguised("version"), accounts: [account])
    }()

    static let preferences: PreferencesReport = {
        var category = CategoryRecord()
        (category.section, category.name, category.id) = (
            disguised("section"), disguised("name"), disguised("category")
        )
        category.channels = [CategoryChannel(name: disguised("channel"), preference: .on, isEditable: true)]
        return PreferencesReport(categories: [category], levels: [(disguised("channel"), disguised("level"))])
    }()

    static let doctor = DoctorReport(findings: [
        Finding(.agent, .problem, account: disguised("account"), disguised("sentence"), remedy: disguised("remedy"))
    ])

    /// Each output, its text, and the external words in it.
    static let places: [(place: String, text: String, words: [String])] = {
        let now: Int64 = 1_763_726_500_000
        let terminal = Terminal(columns: 200, hasColors: false)
        let table = NotificationTable(notifications: [notification], now: now)
        let statusWords = ["name", "provider", "user", "state", "error", "version"]
        return [
            ("list, on a terminal", table.text(terminal), ["title", "body"]),
            ("list, on a narrow terminal", table.text(Terminal(columns: 24, hasColors: false)), ["title"]),
            ("list, elsewhere", table.lines, ["id", "title"]),
            ("show", Show.text(notification), ["title", "body", "subtext", "url", "category", "id"]),
            ("status, on a terminal", status.text(now: now, terminal), statusWords),
            ("status, elsewhere", status.text(now: now, nil), statusWords),
            (
                "preferences, on a terminal", preferences.table(terminal) ?? "",
                ["section", "name", "category", "channel", "level"]
            ),
            ("preferences, elsewhere", preferences.text, ["section", "name", "category", "channel", "level"]),
            ("doctor", doctor.text(), ["account", "sentence", "remedy"]),
            ("an error", Failure(disguised("sentence"), .refused).line, ["sentence"]),
            (
                "completion of zsh",
                ShellCompletion.line(.init(word: "w", description: disguised("title")), .zsh) ?? "",
                ["title"]
            ),
            (
                "completion of fish",
                ShellCompletion.line(.init(word: "w", description: disguised("title")), .fish) ?? "",
                ["title"]
            ),
        ]
    }()

    @Test("Invisible characters of external text are not printed", arguments: places)
    func isVisible(_ place: (place: String, text: String, words: [String])) {
        let text = place.text.replacing("\t", with: " ")
        #expect(VisibleText.lines(text) == text)
        for word in place.words {
            #expect(place.text.contains("[31m\(word)2J"), "\(word) in \(place.text.debugDescription)")
        }
    }

    @Test("JSON keeps the data and escapes invisible characters") func json() throws {
        for text in [JSONText(Self.notification.values).text, Self.status.json.text, Self.doctor.json.text] {
            #expect(VisibleText.line(text) == text)
            #expect(
                text.contains(#"\u202e\u001b[31m"#) && text.contains(#"\u2066\u009b2J\u200b\u0007"#)
            )
        }
        let json = JSONText(["a": Value.string("👩\u{200D}👧 \u{E0041}\u{2028}a\u{61C}\u{200F}\u{200E}")]).text
        #expect(json == #"{"a":"👩‍👧 \udb40\udc41\u2028a\u061c\u200f\u200e"}"#)
    }

    @Test("A status bar shows no invisible characters") func bar() {
        let bar = StatusBar(unread: 1, classes: ["unread"], tooltip: [Self.disguised("title")])
        #expect(VisibleText.line(bar.waybar.text) == bar.waybar.text)
        #expect(VisibleText.line(bar.polybar) == bar.polybar)
    }

    @Test("The exit code for an unknown notification is 5, and the error is the agent's sentence")
    func notFound() {
        let failure = Failure(DBusError(AgentErrors.notFound, "There is no notification \"zzz\"."))
        #expect(failure.code == ExitCode(5))
        #expect(failure.line == "feedbell: There is no notification \"zzz\".\n")
    }
}
