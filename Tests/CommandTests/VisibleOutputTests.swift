import AgentInterface
import ArgumentParser
import DBus
import Testing
import VisibleText

@testable import feedbell

/// What comes from elsewhere neither steers the terminal nor reads differently from what it says, wherever it is
/// printed.
@Suite struct VisibleOutputTests {
    /// Every word is recognised in what is printed.
    static func dirty(_ word: String) -> String {
        "\u{202E}\u{1B}[31m\(word)\u{2066}\u{61C}\u{200F}\u{200E}\u{9B}2J\u{200B}\u{7}"
    }

    static let notification: [String: Value] = [
        "id": .string(dirty("id")), "title": .string(dirty("title")), "body": .string(dirty("body")),
        "subtext": .string(dirty("subtext")), "url": .string(dirty("url")), "category": .string(dirty("category")),
        "created": .int64(1_763_726_400_000),
    ]

    static let status: StatusReport = {
        var account = StatusReport.Account(
            name: dirty("name"),
            provider: dirty("provider"),
            user: dirty("user"),
            state: dirty("state")
        )
        account.error = dirty("error")
        return StatusReport(version: dirty("version"), accounts: [account])
    }()

    static let preferences = PreferencesReport(
        categories: [
            [
                "section": .string(dirty("section")), "name": .string(dirty("name")),
                "category": .string(dirty("category")),
                "channels": Value([Structure(dirty("channel"), "opt_in", true)]),
            ]
        ],
        levels: [(dirty("channel"), dirty("level"))]
    )

    static let doctor = DoctorReport(findings: [
        Finding(.agent, .problem, account: dirty("account"), dirty("sentence"), remedy: dirty("remedy"))
    ])

    /// A place where something is printed, what it prints, and the words from elsewhere in it.
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
            ("an error", Failure(dirty("sentence"), .refused).line, ["sentence"]),
            (
                "completion of zsh", Completion.line(.init(word: "w", description: dirty("title")), .zsh) ?? "",
                ["title"]
            ),
            (
                "completion of fish", Completion.line(.init(word: "w", description: dirty("title")), .fish) ?? "",
                ["title"]
            ),
        ]
    }()

    @Test("Nothing invisible is printed, wherever it comes from (11.17)", arguments: places)
    func isVisible(_ place: (place: String, text: String, words: [String])) {
        let text = place.text.replacing("\t", with: " ")
        #expect(VisibleText.lines(text) == text)
        for word in place.words {
            #expect(place.text.contains("[31m\(word)2J"), "\(word) in \(place.text.debugDescription)")
        }
    }

    @Test("JSON keeps the data, and escapes what is invisible (11.17)") func json() throws {
        for text in [Self.notification.json, Self.status.json, Self.doctor.json] {
            #expect(VisibleText.line(text) == text)
            #expect(
                text.contains(#"\u202e\u001b[31m"#) && text.contains(#"\u2066\u061c\u200f\u200e\u009b2J\u200b\u0007"#)
            )
        }
        #expect(["a": Value.string("👩\u{200D}👧 \u{E0041}\u{2028}")].json == #"{"a":"👩‍👧 \udb40\udc41\u2028"}"#)
    }

    @Test("A status bar shows nothing invisible (11.17)") func bar() {
        let bar = StatusBar(unread: 1, classes: ["unread"], tooltip: [Self.dirty("title")])
        #expect(VisibleText.line(bar.waybar) == bar.waybar)
        #expect(VisibleText.line(bar.polybar) == bar.polybar)
    }

    @Test("An unknown notification is exit code 5, with the agent's sentence (11.12f)") func notFound() {
        let failure = Failure(DBusError(AgentErrors.notFound, "There is no notification \"zzz\"."))
        #expect(failure.code == ExitCode(5))
        #expect(failure.line == "feedbell: There is no notification \"zzz\".\n")
    }
}
