import AgentInterface
import VisibleText

/// The rows and texts of the page.
extension SettingsPage {
    package typealias Group = FormGroup<Row>

    /// A page of the settings.
    package enum Section: CaseIterable, Sendable {
        case popups, quiet, rules, advanced

        package var title: String {
            switch self {
            case .popups: translated("Popups")
            case .quiet: translated("Quiet Hours")
            case .rules: translated("Rules")
            case .advanced: translated("Advanced")
            }
        }
    }

    /// - Parameter now: Milliseconds since the Unix epoch.
    package func groups(of section: Section, now: Int64) -> [Group] {
        let refused = section == .popups ? accounts.refusedGroups { Row.signIn($0) } : []
        return (refused + groups(section, now: now)).filter { !$0.rows.isEmpty }.map { group in
            var group = group
            group.rows = group.rows.map { row in
                var row = row
                row.value = set[row.id] ?? row.value
                return row
            }
            return group
        }
    }

    private func groups(_ section: Section, now: Int64) -> [Group] {
        let popups = section == .popups ? popupRows(now: now) : []
        if let failure {
            let row = FormRow(Row.failure, title: translated("The Settings Are Not Known"), text: failure.sentenceLine)
            return [Group(rows: popups + [row])]
        }
        if settings.isEmpty { return [Group(rows: popups)] }
        switch section {
        case .popups: return [Group(rows: popups), Group(rows: popupSettings)]
        case .quiet: return [Group(text: Self.quietText, rows: quietRows)]
        case .rules: return ruleGroups(now: now)
        case .advanced:
            return [
                Group(title: translated("Popups"), rows: rarePopupSettings),
                Group(title: translated("Desktop"), rows: desktopRows),
                Group(title: translated("Inbox"), rows: inboxRows),
                Group(title: translated("Kept Notifications"), rows: keptRows),
            ]
        }
    }

    // MARK: Popups

    private func popupRows(now: Int64) -> [FormRow<Row>] {
        let until =
            pause.until == 0
            ? "" : translated("Paused until {time}.", ["time": LocalTime(pause.until).shown(now: now)])
        let popups = FormRow(
            Row.popups,
            title: translated("Show Popups"),
            text: pause.isPaused ? until : "",
            value: popupsAreShown
        )
        if pause.isPaused { return [popups] }
        return [
            popups,
            FormRow(.pauseForHour, title: translated("Pause for an Hour"), value: .press),
            FormRow(.pauseUntilTomorrow, title: translated("Pause until Tomorrow Morning"), value: .press),
        ]
    }

    private var popupSettings: [FormRow<Row>] {
        [
            choice(
                "popups.timeout",
                translated("How Long a Popup Stays"),
                [
                    translated("As the Desktop Decides"), translated("5 Seconds"), translated("10 Seconds"),
                    translated("30 Seconds"), translated("Until It Is Closed"),
                ]
            ),
            toggle("popups.pictures", translated("Pictures")),
            choice(
                "popups.locked",
                translated("On the Locked Screen"),
                [
                    translated("Popups as Always"), translated("Popups without Their Texts"),
                    translated("No Popups until It Is Unlocked"),
                ]
            ),
            several(
                "popups.buttons",
                translated("Additional Buttons"),
                [
                    translated("Mark as Read"), translated("Archive"), translated("Snooze"),
                    translated("Mute for an Hour"),
                ],
                text: translated("Popups have them after the buttons of the sender.")
            ),
            startsWithSession.map {
                FormRow(
                    .autostart,
                    title: translated("Start with the Session"),
                    text: translated("Popups come before this window is opened."),
                    value: .toggle($0)
                )
            },
        ].compactMap(\.self)
    }

    private var rarePopupSettings: [FormRow<Row>] {
        [
            choice(
                "popups.mark_seen",
                translated("Mark as Seen"),
                [
                    translated("When the Popup Appears"), translated("When the Popup Is Closed"),
                    translated("Only in the Inbox"),
                ]
            ),
            number(
                "popups.group_above",
                translated("Most Popups at Once"),
                text: translated("If more arrive, one popup shows them all.")
            ),
        ].compactMap(\.self)
    }

    // MARK: Others

    private static var quietText: String { translated("No popups are shown then. They come afterwards.") }

    private var quietRows: [FormRow<Row>] {
        let from = settings["quiet.from"]
        let isOn = from?.content != ListedSetting.Content.none
        let first = FormRow(
            Row.quiet,
            title: translated("Quiet Hours"),
            text: from.map(Self.origin) ?? "",
            value: .toggle(isOn),
            isEditable: from?.details.isFixed == false
        )
        if !isOn { return [first] }
        // Without days it is every day.
        let days = several(
            "quiet.days",
            translated("Days"),
            Weekday.allCases.map(\.title),
            without: Weekday.configured
        )
        let others = [
            settings["quiet.from"].map { row($0, translated("From"), .text(WrittenClock.shown($0.text ?? ""))) },
            settings["quiet.to"].map { row($0, translated("To"), .text(WrittenClock.shown($0.text ?? ""))) },
            days,
            toggle("quiet.let_through", translated("Let Critical Ones Through"), off: "nothing"),
        ].compactMap(\.self)
        return [first] + others.map { $0.within(translated("Quiet Hours")) }
    }

    private var desktopRows: [FormRow<Row>] {
        [
            toggle("desktop.tray_icon", translated("Tray Icon")),
            toggle("search.desktop", translated("Found by the Desktop's Search")),
            choice(
                "desktop.launcher_badge",
                translated("Number on the Launcher's Icon"),
                [
                    translated("Where the Desktop Shows It"), translated("Always"), translated("Never"),
                ]
            ),
        ].compactMap(\.self)
    }

    private var inboxRows: [FormRow<Row>] {
        [toggle("inbox.archive_on_click", translated("Archive What Was Opened"))].compactMap(\.self)
    }

    private var keptRows: [FormRow<Row>] {
        [
            number("inbox.keep", translated("Notifications of Each Account")),
            number("inbox.keep_days", translated("Days to Keep Them")),
        ].compactMap(\.self)
    }

    // MARK: Controls

    private func row(
        _ setting: ListedSetting,
        _ title: String,
        _ value: FormValue,
        text: String = "",
        choices: [String] = []
    ) -> FormRow<Row> {
        let origin = Self.origin(setting)
        return FormRow(
            .setting(setting.details.key),
            title: title,
            text: origin.isEmpty ? text : origin,
            value: value,
            choices: choices,
            isEditable: !setting.details.isFixed
        )
    }

    private func choice(_ key: String, _ title: String, _ labels: [String]) -> FormRow<Row>? {
        settings[key].map { setting in
            let word = setting.text ?? setting.number.map { "\($0)" } ?? ""
            return row(setting, title, .choice(Self.choices[key]?.firstIndex(of: word)), choices: labels)
        }
    }

    /// - Parameter chosen: What is on if the setting names nothing.
    private func several(
        _ key: String,
        _ title: String,
        _ labels: [String],
        text: String = "",
        without chosen: [String] = []
    ) -> FormRow<Row>? {
        settings[key].map { setting in
            let texts = setting.texts.isEmpty ? chosen : setting.texts
            let value = FormValue.several((Self.choices[key] ?? []).indices(of: texts))
            return row(setting, title, value, text: text, choices: labels)
        }
    }

    /// - Parameter off: The text of a setting that is off; nil: it is no text.
    private func toggle(_ key: String, _ title: String, off: String? = nil) -> FormRow<Row>? {
        settings[key].map { row($0, title, .toggle(off == nil ? $0.isOn : $0.text != off)) }
    }

    private func number(_ key: String, _ title: String, text: String = "") -> FormRow<Row>? {
        settings[key].map { row($0, title, .number($0.number ?? 0), text: text) }
    }

    /// Where a value comes from that cannot be changed here; empty: it can be.
    private static func origin(_ setting: ListedSetting) -> String {
        if let preset = setting.details.lockedBy { return translated("Set by {file}.", ["file": preset.sentenceLine]) }
        guard setting.details.isFixed, let file = setting.details.file else { return "" }
        let line = setting.details.line ?? 0
        return translated("Set in line {line} of {file}.", ["line": "\(line)", "file": file.sentenceLine])
    }
}
