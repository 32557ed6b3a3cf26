import AgentInterface
import Testing

@testable import Window

@Suite struct SettingsPageTests {
    typealias Row = SettingsPage.Row

    private static let now = PageFixture.now

    private static func setting(_ key: String, _ value: String, _ change: (inout SettingDetails) -> Void = { _ in })
        -> SettingDetails
    {
        var setting = SettingDetails(key: key, value: value, standard: value, meaning: "")
        change(&setting)
        return setting
    }

    private static let usual = [
        setting("popups.timeout", "\"default\""), setting("popups.mark_seen", "\"dismissed\""),
        setting("popups.pictures", "true"), setting("popups.locked", "\"show\""), setting("popups.group_above", "3"),
        setting("popups.buttons", "[]"), setting("quiet.from", ""), setting("quiet.to", ""), setting("quiet.days", ""),
        setting("quiet.let_through", "\"nothing\""), setting("desktop.tray_icon", "true"),
        setting("desktop.launcher_badge", "\"auto\""), setting("inbox.keep", "5000"), setting("inbox.keep_days", "180"),
    ]

    private static func page(_ changed: [SettingDetails] = []) -> SettingsPage {
        var page = SettingsPage()
        #expect(page.receive(.opened, now: now) == [.list])
        let keys = changed.map(\.key)
        _ = page.receive(.listed(usual.filter { !keys.contains($0.key) } + changed), now: now)
        return page
    }

    private static func groups(_ page: SettingsPage) -> [SettingsPage.Group] {
        SettingsPage.Section.allCases.flatMap { page.groups(of: $0, now: now) }
    }

    private static func rows(_ page: SettingsPage) -> [Row: FormRow<Row>] {
        let rows = groups(page).flatMap(\.rows)
        return Dictionary(rows.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
    }

    private static func change(_ words: String...) -> [SettingsPage.Effect] {
        let changes = words.map { word in
            let parts = word.split(separator: "=", omittingEmptySubsequences: false).map(String.init)
            return SettingChange(parts[0], parts[1])
        }
        return [.change(.changeSettings(changes))]
    }

    @Test("Each setting has the control of its values") func controls() {
        let rows = Self.rows(
            Self.page([Self.setting("popups.timeout", "10"), Self.setting("popups.pictures", "false")])
        )
        #expect(rows[.setting("popups.timeout")]?.value == .choice(2))
        #expect(rows[.setting("popups.mark_seen")]?.value == .choice(1))
        #expect(rows[.setting("popups.pictures")]?.value == .toggle(false))
        #expect(rows[.setting("popups.locked")]?.value == .choice(0))
        #expect(rows[.setting("popups.group_above")]?.value == .number(3))
        #expect(rows[.setting("popups.buttons")]?.value == .several([]))
        #expect(rows[.setting("desktop.tray_icon")]?.value == .toggle(true))
        #expect(rows[.quiet]?.value == .toggle(false) && rows[.setting("quiet.from")] == nil)
    }

    @Test("A value that the choice lacks is none of them") func otherValue() {
        let rows = Self.rows(Self.page([Self.setting("popups.timeout", "7.5")]))
        #expect(rows[.setting("popups.timeout")]?.value == .choice(nil))
    }

    @Test(
        "A change is written as the command writes it, and shows at once",
        arguments: [
            (Row.setting("popups.timeout"), FormValue.choice(4), "popups.timeout=never"),
            (.setting("popups.locked"), .choice(1), "popups.locked=hide-text"),
            (.setting("popups.locked"), .choice(2), "popups.locked=hold"),
            (.setting("popups.pictures"), .toggle(false), "popups.pictures=false"),
            (.setting("inbox.keep"), .number(100), "inbox.keep=100"),
            (.setting("quiet.days"), .several([0, 6]), "quiet.days=mon,sun"),
            (.setting("popups.buttons"), .several([0, 2]), "popups.buttons=read,snooze"),
            (.setting("quiet.from"), .text("21:30"), "quiet.from=21:30"),
        ]
    ) func changes(row: Row, value: FormValue, word: String) {
        var page = Self.page([Self.setting("quiet.from", "\"22:00\""), Self.setting("quiet.to", "\"07:00\"")])
        #expect(page.receive(.set(row, value), now: Self.now) == Self.change(word))
        #expect(Self.rows(page)[row]?.value == value)
        #expect(page.receive(.ended(failure: nil), now: Self.now) == [.list])
    }

    @Test("Whether sessions start the agent is shown where it is known, and switched by its program") func autostart() {
        var page = Self.page()
        #expect(Self.rows(page)[.autostart] == nil)
        _ = page.receive(.autostart(true), now: Self.now)
        #expect(Self.rows(page)[.autostart]?.value == .toggle(true))
        let effects = page.receive(.set(.autostart, .toggle(false)), now: Self.now)
        #expect(effects == [.change(.setAutostart(false))])
        #expect(Self.rows(page)[.autostart]?.value == .toggle(false))
    }

    @Test("The settings are listed again when the user comes back to the window") func focus() {
        var page = SettingsPage()
        #expect(page.receive(.focused, now: Self.now) == [])
        #expect(page.receive(.opened, now: Self.now) == [.list])
        #expect(page.receive(.focused, now: Self.now) == [])
        _ = page.receive(.listed(Self.usual), now: Self.now)
        #expect(page.receive(.focused, now: Self.now) == [.list])
        _ = page.receive(.notListed("No."), now: Self.now)
        #expect(page.receive(.focused, now: Self.now) == [.list])
        _ = page.receive(.closed, now: Self.now)
        #expect(page.receive(.focused, now: Self.now) == [])
    }

    @Test("A refused change is taken back with the reason") func refusal() {
        var page = Self.page()
        _ = page.receive(.set(.setting("popups.group_above"), .number(0)), now: Self.now)
        #expect(
            page.receive(.ended(failure: "It must be 1 or more."), now: Self.now) == [
                .show("It must be 1 or more."), .list,
            ]
        )
        #expect(Self.rows(page)[.setting("popups.group_above")]?.value == .number(3))
    }

    @Test("Quiet hours are switched with both of their times") func quietHours() {
        var page = Self.page()
        let on = page.receive(.set(.quiet, .toggle(true)), now: Self.now)
        #expect(on == Self.change("quiet.from=22:00", "quiet.to=07:00"))
        let off = page.receive(.set(.quiet, .toggle(false)), now: Self.now)
        #expect(off == Self.change("quiet.from=", "quiet.to=", "quiet.days=", "quiet.let_through="))
        page = Self.page([Self.setting("quiet.from", "\"22:00\""), Self.setting("quiet.to", "\"07:00\"")])
        let rows = Self.rows(page)
        #expect(rows[.setting("quiet.from")]?.value == .text("22:00"))
        #expect(rows[.setting("quiet.days")]?.value == .several(Set(0..<7)), "every day")
    }

    @Test("What a preset or the user's own file decides is shown with its origin, and fixed") func fixed() {
        let own = Self.setting("popups.pictures", "false") {
            ($0.file, $0.line, $0.isFixed) = ("/home/a/.config/feedbell/config.toml", 3, true)
        }
        let locked = Self.setting("desktop.tray_icon", "true") {
            ($0.lockedBy, $0.isFixed) = ("/etc/xdg/feedbell/config.toml", true)
        }
        let preset = Self.setting("popups.group_above", "5") { $0.file = "/etc/xdg/feedbell/config.toml" }
        let rows = Self.rows(Self.page([own, locked, preset]))
        let pictures = rows[.setting("popups.pictures")]
        #expect(
            pictures?.text == "Set in line 3 of /home/a/.config/feedbell/config.toml." && pictures?.isEditable == false
        )
        let tray = rows[.setting("desktop.tray_icon")]
        #expect(tray?.text == "Set by /etc/xdg/feedbell/config.toml." && tray?.isEditable == false)
        let group = rows[.setting("popups.group_above")]
        #expect(group?.text == "If more arrive, one popup shows them all.", "a preset that locks nothing")
        #expect(group?.isEditable == true)
    }

    @Test("Popups are paused without an end, for an hour or until the morning") func pause() {
        var page = Self.page()
        #expect(page.receive(.set(.popups, .toggle(false)), now: Self.now) == [.pause(until: 0)])
        #expect(Self.rows(page)[.popups]?.value == .toggle(false), "before the agent reports it")
        #expect(page.receive(.set(.pauseForHour, .press), now: Self.now) == [.pause(until: Self.now + 3_600_000)])
        _ = page.receive(.pause(.init(isPaused: true, until: Self.now + 3_600_000)), now: Self.now)
        let rows = Self.rows(page)
        #expect(rows[.popups]?.value == .toggle(false) && rows[.popups]?.text.hasPrefix("Paused until ") == true)
        #expect(rows[.pauseForHour] == nil)
        #expect(page.receive(.set(.popups, .toggle(true)), now: Self.now) == [.resume])
    }

    @Test("A click on the switch of the popups is one request, and what it shows already is none") func popups() {
        var page = Self.page()
        #expect(page.receive(.set(.popups, .toggle(true)), now: Self.now) == [])
        #expect(page.receive(.set(.popups, .toggle(false)), now: Self.now) == [.pause(until: 0)])
        #expect(page.receive(.set(.popups, .toggle(false)), now: Self.now) == [])
        _ = page.receive(.listed([]), now: Self.now)
        #expect(Self.rows(page)[.popups]?.value == .toggle(false), "a list does not have it")
        _ = page.receive(.ended(failure: "No agent is running."), now: Self.now)
        #expect(Self.rows(page)[.popups]?.value == .toggle(true))
        _ = page.receive(.pause(.init(isPaused: true, until: Self.now + 1000)), now: Self.now)
        #expect(page.receive(.set(.popups, .toggle(false)), now: Self.now) == [], "the pause keeps its end")
        #expect(page.receive(.set(.popups, .toggle(true)), now: Self.now) == [.resume])
    }

    @Test("Settings that cannot be read leave the pause and say why") func unreadable() {
        var page = SettingsPage()
        _ = page.receive(.opened, now: Self.now)
        _ = page.receive(.notListed("Line 3 is wrong."), now: Self.now)
        let rows = Self.rows(page)
        #expect(rows[.popups] != nil && rows[.failure]?.text == "Line 3 is wrong.")
    }

    @Test("What is muted is listed apart from other rules, and a switch unmutes it") func mutes() {
        func rule(_ number: UInt32, until: Int64 = 0) -> RuleRecord {
            var (rule, conditions, settings) = (RuleRecord(), RuleConditionsRecord(), RuleSettingsRecord())
            conditions.category = ["builds"]
            (settings.mute, settings.badge) = (true, false)
            (rule.number, rule.id, rule.isEditable, rule.until) = (number, "r\(number)", true, until)
            (rule.conditions, rule.settings) = (conditions.values, settings.values)
            return rule
        }
        var page = Self.page()
        var other = RuleRecord()
        other.number = 4
        let mutes = [rule(1), rule(2, until: Self.now + 3_600_000), rule(3, until: Self.now)]
        _ = page.receive(.rules(mutes + [other]), now: Self.now)
        let rows = Self.rows(page)
        #expect(rows[.mute("r1")]?.title == "builds: no popups")
        let clock = LocalTime(Self.now + 3_600_000).clock
        #expect(rows[.mute("r2")]?.title == "builds: no popups until \(clock)")
        #expect(rows[.mute("r2")]?.value == .toggle(true))
        #expect(rows[.mute("r3")] == nil && rows[.rule(1)] == nil && rows[.rule(4)] != nil)
        #expect(page.receive(.set(.mute("r1"), .toggle(false)), now: Self.now) == [.changeRules(.remove("r1"))])
        #expect(Self.rows(page)[.mute("r1")]?.value == .toggle(false))
        #expect(page.receive(.rulesChanged, now: Self.now) == [.listRules])
        _ = page.receive(.rules([other]), now: Self.now)
        #expect(!Self.groups(page).contains { $0.title == "Muted" })
    }

    private static func ownRule(_ id: String, _ category: String) -> RuleRecord {
        var (rule, conditions, settings) = (RuleRecord(), RuleConditionsRecord(), RuleSettingsRecord())
        (conditions.category, conditions.tag) = ([category], ["red"])
        (settings.urgency, settings.icon) = ("low", "x")
        (rule.id, rule.isEditable, rule.origin) = (id, true, "settings")
        (rule.conditions, rule.settings) = (conditions.values, settings.values)
        return rule
    }

    @Test("Rules of programs are switched, moved, removed and changed, and others say where they are set")
    func ownRules() {
        var page = Self.page()
        var preset = RuleRecord()
        (preset.number, preset.origin) = (3, "preset")
        let own = [Self.ownRule("a", "x"), Self.ownRule("b", "y")]
        _ = page.receive(.rules(own + [preset]), now: Self.now)
        let rows = Self.rows(page)
        #expect(rows[.rule(3)]?.text == "Set by the administrator." && rows[.rule(3)]?.value == nil)
        #expect(rows[.ownRule("a")]?.value == .toggle(true) && rows[.ownRule("a")]?.rows.count == 3)
        var off = own[0]
        off.isEnabled = false
        #expect(page.receive(.set(.ownRule("a"), .toggle(false)), now: Self.now) == [.changeRules(.change("a", off))])
        #expect(page.receive(.set(.ruleAction("a", .moveUp), .press), now: Self.now) == [], "it is the first one")
        let moved: SettingsPage.Effect = .changeRules(.move("b", before: "a"))
        #expect(page.receive(.set(.ruleAction("b", .moveUp), .press), now: Self.now) == [moved])
        let removed: SettingsPage.Effect = .changeRules(.remove("b"))
        #expect(page.receive(.set(.ruleAction("b", .remove), .press), now: Self.now) == [removed])
        let opened: SettingsPage.Effect = .openRule(own[0], accounts: [])
        #expect(page.receive(.set(.ruleAction("a", .change), .press), now: Self.now) == [opened])
        #expect(page.receive(.set(.addRule, .press), now: Self.now) == [.openRule(nil, accounts: [])])
        #expect(page.receive(.rulesEnded(failure: "No."), now: Self.now) == [.show("No.")])
    }

    @Test("Quiet hours are shown and typed as times of the locale") func quietTimes() {
        var page = Self.page([Self.setting("quiet.from", "\"09:05\""), Self.setting("quiet.to", "\"17:00\"")])
        let from = Row.setting("quiet.from")
        #expect(Self.rows(page)[from]?.value == .text("9:05"))
        #expect(page.receive(.set(from, .text("10 pm")), now: Self.now) == Self.change("quiet.from=22:00"))
        #expect(Self.rows(page)[from]?.value == .text("22:00"))
        let wrong = page.receive(.set(from, .text("late")), now: Self.now)
        #expect(wrong == [.show("\"late\" is not a valid time. Examples: 22:00, 10 pm")])
    }

    @Test("What is rarely changed is on a page of its own") func sections() {
        let page = Self.page()
        func keys(_ section: SettingsPage.Section) -> [Row] {
            page.groups(of: section, now: Self.now).flatMap(\.rows).map(\.id)
        }
        #expect(keys(.popups).contains(.popups) && !keys(.popups).contains(.setting("desktop.launcher_badge")))
        #expect(keys(.quiet) == [.quiet] && keys(.rules) == [.addRule])
        #expect(keys(.advanced).contains(.setting("desktop.launcher_badge")))
        #expect(keys(.advanced).contains(.setting("popups.group_above")))
    }

    @Test("Rules are listed in their order, as they read") func rules() {
        var page = Self.page()
        var rule = RuleRecord()
        rule.number = 1
        _ = page.receive(.rules([rule]), now: Self.now)
        #expect(Self.rows(page)[.rule(1)]?.title == "every notification: no changes")
    }
}
