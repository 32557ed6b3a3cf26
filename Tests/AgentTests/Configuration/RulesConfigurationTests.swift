import Agent
import Basics
import Inbox
import Testing

/// `[[rules]]` of the configuration.
@Suite struct RulesConfigurationTests {
    private func rules(_ text: String) throws -> [Rule] {
        try Configuration(toml: "[[rules]]\n" + text, file: "f").popups.rules.rules
    }

    private func patterns(_ texts: String...) throws -> [TextPattern] {
        try texts.map { (text) throws in try TextPattern(text) }
    }

    @Test("Every key of a rule is read") func everyKey() throws {
        let read = try rules(
            """
            account = "work"
            category = ["builds", "ci*"]
            tag = "red"
            topic = '/^ci/'
            title = "*failed*"
            text = ["a", "b"]
            from = "22:00"
            to = "07:30"
            days = ["mon", "sun"]
            urgency = "low"
            sound = "message-new-instant"
            timeout = 7.5
            resident = true
            mark_seen = "never"
            replace = "topic"
            icon = "dialog-warning"
            badge = false
            mark_read = true
            ignore_quiet = true
            enabled = false
            until = 2026-12-01T18:00:00.5+01:00
            """
        )
        let conditions = RuleConditions(
            [
                .init(.account, try patterns("work")), .init(.category, try patterns("builds", "ci*")),
                .init(.tag, try patterns("red")), .init(.topic, try patterns("/^ci/")),
                .init(.title, try patterns("*failed*")), .init(.text, try patterns("a", "b")),
            ],
            hours: WeeklyHours(from: 22 * 60, to: 7 * 60 + 30, days: [.monday, .sunday])
        )
        var effects = RuleEffects()
        effects.urgency = .low
        effects.sound = .theme("message-new-instant")
        effects.timeout = .after(milliseconds: 7_500)
        effects.isResident = true
        effects.markSeen = .never
        effects.replace = .topic
        effects.icon = "dialog-warning"
        (effects.countsInBadge, effects.marksRead, effects.ignoresQuiet) = (false, true, true)
        let until = Timestamp(milliseconds: 1_796_144_400_500)
        #expect(read == [Rule(conditions, effects, id: "config-1", isEnabled: false, until: until)])
    }

    @Test("Rules keep their order, and one may be empty") func order() throws {
        let read = try rules("[[rules]]\nmute = true\n[[rules]]\ndigest = \"2h\"\n[[rules]]\nsound = \"none\"")
        #expect(read.map(\.effects.isMuted) == [false, true, false, false])
        #expect(read.map(\.effects.digest) == [nil, nil, .seconds(7_200), nil])
        #expect(read.map(\.effects.sound) == [nil, nil, nil, .silent])
        #expect(read.allSatisfy { $0.conditions == RuleConditions() })
        #expect(try Configuration(toml: "", file: "f").popups.rules.isEmpty)
    }

    @Test("Days without times are whole days, and times without days every day") func hours() throws {
        #expect(try rules("days = [\"sat\"]").first?.conditions.hours == WeeklyHours(from: 0, to: 0, days: [.saturday]))
        let times = try rules("from = \"09:00\"\nto = \"17:00\"").first?.conditions.hours
        #expect(times == WeeklyHours(from: 9 * 60, to: 17 * 60))
    }

    @Test(
        "A duration of a digest has a unit",
        arguments: [("1m", 60), ("90m", 5_400), ("1h", 3_600), ("7d", 604_800)]
    )
    func durations(_ text: String, _ seconds: Int) throws {
        #expect(try rules("digest = \"\(text)\"").first?.effects.digest == .seconds(seconds))
    }

    private static let digest =
        "f:2: \"rules.digest\" must be from \"1m\" to \"7d\", such as \"30m\", \"1h\" or \"1d\", not "

    @Test(
        "A mistake in a rule is reported with line, key and the remedy",
        arguments: [
            ("tags = \"a\"", "f:2: \"tags\" is not a key of [rules]. The nearest valid key is \"tag\"."),
            (
                "mute = true\nurgensy = \"low\"",
                "f:3: \"urgensy\" is not a key of [rules]. The nearest valid key is \"urgency\"."
            ),
            (
                "urgency = \"high\"",
                "f:2: \"rules.urgency\" cannot be \"high\". Choose one of \"low\", \"normal\", \"critical\"."
            ),
            ("category = 5", "f:2: \"rules.category\" must be a string or an array of strings, but it is an integer."),
            ("category = [5]", "f:2: \"rules.category\" must be an array of strings, but it is an array."),
            ("category = []", "f:2: \"rules.category\" is empty. Set a value or remove the line."),
            ("title = \"\"", "f:2: \"rules.title\" is empty. Set a value or remove the line."),
            ("title = [\"\"]", "f:2: A pattern of \"rules.title\" is invalid: \"\". It is empty."),
            (
                "\n\ntext = ['x', '/(a/']",
                "f:4: A pattern of \"rules.text\" is invalid: \"/(a/\". "
                    + "Error after \"/(a\": missing closing parenthesis."
            ),
            ("from = \"22:00\"", "f:1: [rules] has no \"to\". Add to = \"…\"."),
            (
                "days = [\"monday\"]",
                "f:2: \"monday\" in \"rules.days\" is not a day. "
                    + "Choose from \"mon\", \"tue\", \"wed\", \"thu\", \"fri\", \"sat\", \"sun\"."
            ),
            (
                "sound = \"sounds/a.ogg\"",
                "f:2: \"rules.sound\" must be a name of the theme or an absolute path, starting with / or ~/, "
                    + "not \"sounds/a.ogg\"."
            ),
            (
                "icon = \"./a.png\"",
                "f:2: \"rules.icon\" must be a name of the theme or an absolute path, starting with / or ~/, "
                    + "not \"./a.png\"."
            ),
            ("timeout = \"soon\"", "f:2: \"rules.timeout\" must be \"default\", \"never\" or a number of seconds."),
            ("digest = \"30s\"", digest + "\"30s\"."), ("digest = \"8d\"", digest + "\"8d\"."),
            ("digest = \"h\"", digest + "\"h\"."), ("digest = \"999999999d\"", digest + "\"999999999d\"."),
            (
                "replace = \"id\"",
                "f:2: \"rules.replace\" cannot be \"id\". Choose one of \"topic\", \"category\", \"title\", \"rule\"."
            ),
            (
                "mute = true\nsound = \"none\"",
                "f:3: \"rules.sound\" has no effect in a rule with mute = true. Remove one."
            ),
            (
                "digest = \"1h\"\nreplace = \"topic\"",
                "f:3: \"rules.replace\" has no effect in a rule with a digest. Remove one."
            ),
        ] as [(String, String)]
    )
    func mistakes(_ text: String, _ sentence: String) {
        let error = #expect(throws: ConfigurationError.self) { try rules(text) }
        #expect(error?.description == sentence)
    }

    private static let moment =
        "f:2: \"rules.until\" must be a date, a time and an offset, such as 2026-12-01T18:00:00+01:00."

    @Test(
        "A mistake in the newer keys of a rule is reported, too",
        arguments: [
            "mute = true\nignore_quiet = true":
                "f:3: \"rules.ignore_quiet\" has no effect in a rule with mute = true. Remove one.",
            "mark_read = true": "f:2: \"rules.mark_read\" needs mute = true or resident = true: another popup closes "
                + "when its notification is read.",
            "until = \"tomorrow\"": moment, "until = 2026-12-01T18:00:00": moment,
            "id = \"a\"": "f:2: \"id\" is not a key of [rules]. The nearest valid key is \"icon\".",
        ] as [String: String]
    )
    func newerMistakes(_ text: String, _ sentence: String) {
        let error = #expect(throws: ConfigurationError.self) { try rules(text) }
        #expect(error?.description == sentence)
    }

    @Test("Rules that are no tables, and too many rules, are mistakes") func shape() {
        let kind = #expect(throws: ConfigurationError.self) { try Configuration(toml: "rules = 5", file: "f") }
        #expect(kind?.description == "f:1: \"rules\" must be tables, each written [[rules]], but it is an integer.")
        let text = String(repeating: "[[rules]]\n", count: 101)
        let count = #expect(throws: ConfigurationError.self) { try Configuration(toml: text, file: "f") }
        #expect(count?.problem == "There are 101 [[rules]], but at most 100 are allowed.")
    }
}
