import AgentInterface
import DBus
import VisibleText

/// The form that the page shows.
extension PreferencesPage {
    package typealias Group = FormGroup<PreferenceRow>
    package typealias Row = FormRow<PreferenceRow>

    /// The preferences of the shown account. Above them, an account is chosen if there are several.
    package var groups: [Group] {
        guard let account else { return [Group(text: translated("No account's service has preferences."))] }
        let choice = Row(
            .account,
            title: translated("Account"),
            value: .choice(accounts.firstIndex(of: account)),
            choices: accounts.map(\.nameLine)
        )
        return (accounts.count > 1 ? [Group(rows: [choice])] : []) + groups(of: account)
    }

    func groups(of account: String) -> [Group] {
        accountStates.filter { $0.name == account }.refusedGroups { _ in .signIn } + preferenceGroups(of: account)
    }

    /// The sections of an account's preferences, then the levels of its channels.
    private func preferenceGroups(of account: String) -> [Group] {
        guard let known = contents[account], !known.categories.isEmpty || !known.levels.isEmpty else {
            return [Group(text: notice(account))]
        }
        // Without them, a category is on if one of its channels is.
        let haveSwitches = accountStates.first { $0.name == account }?.has(.categoryPreferences) ?? false
        var groups: [Group] = []
        for category in known.categories.prefix(known.shownCategories) {
            let (title, text) = (category.section.nameLine, category.sectionDescription.sentenceLine)
            if groups.last?.title != title || groups.isEmpty { groups.append(Group(title: title, text: text)) }
            groups[groups.count - 1].rows.append(row(category, hasSwitch: haveSwitches, unfolded: known.unfolded))
        }
        if known.categories.count > known.shownCategories { groups.append(Group(rows: [Self.more])) }
        if !known.levels.isEmpty {
            let text = translated("Which notifications each channel delivers, of all categories.")
            let title = translated("Channels")
            let rows = known.levels.map { row($0).within(title) }
            groups.append(Group(title: title, text: text, rows: rows))
        }
        return groups.map { group in
            var group = group
            group.rows = group.rows.map { $0.with(known.set) }
            return group
        }
    }

    /// The text of the form while there are no preferences to show.
    private func notice(_ account: String) -> String {
        guard let known = contents[account], !known.isLoading else { return translated("Loading…") }
        return known.failure?.sentenceLine ?? translated("The service has no preferences for you.")
    }

    // MARK: Rows

    private static var more: Row { Row(.more, title: translated("Show More Categories"), value: .press) }

    private func row(_ category: CategoryRecord, hasSwitch: Bool, unfolded: Set<PreferenceRow>) -> Row {
        let row = PreferenceRow.category(category.id)
        let isRequired = hasSwitch && !category.isEditable && category.preference.isOn
        let required = isRequired ? translated("Cannot be switched off.") : ""
        return Row(
            row,
            title: category.name.nameLine,
            text: [category.description.sentenceLine, required].filter { !$0.isEmpty }.joined(separator: "\n"),
            value: hasSwitch ? .toggle(category.preference.isOn) : nil,
            isEditable: category.isEditable,
            rows: unfolded.contains(row) ? details(of: category) : [],
            isFoldable: category.hasDetails
        )
    }

    /// The rows below that of a category.
    private func details(of category: CategoryRecord) -> [Row] {
        let channels = category.channels.prefix(Self.partLimit).map { channel in
            Row(
                .channel(category: category.id, channel.name),
                title: ChannelName.text(channel.name),
                text: channel.isEditable ? "" : Self.fixed,
                value: .toggle(channel.preference.isOn),
                isEditable: channel.isEditable
            )
        }
        let digest = category.digest.isEmpty ? [] : rows(DigestRecord(category.digest), of: category.id)
        let properties = category.properties.prefix(Self.partLimit).map { row(PropertyRecord($0), of: category.id) }
        return (channels + digest + properties).map { $0.within(category.name.nameLine) }
    }

    static var fixed: String { translated("Cannot be changed.") }

    private func row(_ level: ChannelSetting) -> Row {
        Row(
            .level(channel: level.channel),
            title: ChannelName.text(level.channel),
            value: .choice(level.isOnlyRequired ? 1 : 0),
            // Translators: A choice of which notifications a channel delivers.
            choices: [translated("All"), translated("Only Required Ones")]
        )
    }

    private func rows(_ digest: DigestRecord, of category: String) -> [Row] {
        let editable = digest.editable
        func part(_ part: DigestPart, _ title: String, _ value: FormValue, choices: [String] = []) -> Row {
            let isEditable = editable.contains(part.rawValue)
            return Row(
                .digest(category: category, part),
                title: title,
                text: isEditable ? "" : Self.fixed,
                value: value,
                choices: choices,
                isEditable: isEditable
            )
        }
        let name = digest.label.isEmpty ? digest.id : digest.label
        var rows = [Row(.schedule(category: category), title: translated("Digest"), text: name.nameLine)]
        if let days = digest.weekdays {
            let chosen = Weekday.codes.indices(of: days)
            let names = Weekday.allCases.map(\.title)
            rows.append(part(.weekdays, translated("Digest: Days"), .several(chosen), choices: names))
        }
        rows += monthDayRows(digest, of: category)
        if let time = digest.time { rows.append(part(.time, translated("Digest: Time"), .text(time))) }
        if let start = digest.start { rows.append(part(.start, translated("Digest: Start"), .text(start))) }
        return rows
    }

    private func row(_ property: PropertyRecord, of category: String) -> Row {
        Row(
            .property(category: category, property.id),
            title: (property.label.isEmpty ? property.id : property.label).nameLine,
            text: property.isEditable ? "" : Self.fixed,
            value: property.formValue,
            choices: property.choices.prefix(Self.partLimit).map { $0.elements.0.nameLine },
            isEditable: property.isEditable && property.isShownWhole
        )
    }
}

extension CategoryRecord {
    /// Whether there are rows below that of the category. Does not decode them.
    fileprivate var hasDetails: Bool {
        ["channels", "digest", "properties"].contains { key in
            switch values[key] {
            case .array(_, let elements): !elements.isEmpty
            case .dictionary(_, _, let entries): !entries.isEmpty
            default: false
            }
        }
    }
}

extension PropertyRecord {
    fileprivate var formValue: FormValue {
        let content = self.value ?? self.defaultValue
        let list = content.flatMap { try? [String](dbus: $0) }
        let values = self.choices.prefix(PreferencesPage.partLimit).map { $0.elements.1 }
        if !values.isEmpty {
            guard self.kind == "list" else { return .choice(content.flatMap(values.firstIndex(of:))) }
            return .several(values.map { $0.text ?? "" }.indices(of: list ?? []))
        }
        switch content {
        case .int64(let number): return .number(number)
        case .string(let text): return .text(text.beginning(LineLimit.sentence))
        default:
            return self.kind == "integer"
                ? .number(0) : .text((list?.joined(separator: ", ") ?? "").beginning(LineLimit.sentence))
        }
    }

    /// Whether the row has the whole value and all choices.
    fileprivate var isShownWhole: Bool {
        if self.choices.count > PreferencesPage.partLimit { return false }
        guard self.choices.isEmpty, case .text(let text) = formValue else { return true }
        return text.unicodeScalars.count < LineLimit.sentence
    }
}

extension FormRow<PreferenceRow> {
    /// The row with what the user has set.
    fileprivate func with(_ set: [PreferenceRow: FormValue]) -> FormRow {
        var row = self
        row.value = set[id] ?? value
        row.rows = rows.map { $0.with(set) }
        return row
    }
}
