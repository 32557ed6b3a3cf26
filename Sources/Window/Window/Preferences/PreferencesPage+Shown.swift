import AgentInterface
import DBus
import InboxPresentation
import Translation
import VisibleText

/// The forms that the page shows.
extension PreferencesPage {
    package typealias Group = FormGroup<PreferenceRow>
    package typealias Row = FormRow<PreferenceRow>

    /// The form of one account.
    package struct Form: Equatable, Sendable {
        package var title: String
        /// The account's name; nil: no account has preferences, which the form says.
        package var account: String?
        package var groups: [Group]
    }

    /// One for each account; never empty.
    package var forms: [Form] {
        let forms = accounts.map { Form(title: $0.onOneLine, account: $0, groups: groups(of: $0)) }
        if !forms.isEmpty { return forms }
        let text = translated("No account's service has preferences.")
        return [Form(title: translated("Preferences"), account: nil, groups: [Group(text: text)])]
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
        for category in known.categories {
            let (title, text) = (category.section.onOneLine, category.sectionDescription.onOneLine)
            if groups.last?.title != title || groups.isEmpty { groups.append(Group(title: title, text: text)) }
            groups[groups.count - 1].rows.append(row(category, hasSwitch: haveSwitches))
        }
        if !known.levels.isEmpty {
            let text = translated("Which notifications each channel delivers, of all categories.")
            groups.append(Group(title: translated("Channels"), text: text, rows: known.levels.map(row)))
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
        return known.failure?.onOneLine ?? translated("The service has no preferences for you.")
    }

    // MARK: Rows

    private func row(_ category: CategoryRecord, hasSwitch: Bool) -> Row {
        let isRequired = hasSwitch && !category.isEditable && category.preference.isOn
        let required = isRequired ? translated("Cannot be switched off.") : ""
        let channels = category.channels.map { channel in
            Row(
                .channel(category: category.id, channel.name),
                title: channel.name.onOneLine,
                text: channel.isEditable ? "" : Self.fixed,
                value: .toggle(channel.preference.isOn),
                isEditable: channel.isEditable
            )
        }
        let digest = category.digest.isEmpty ? [] : rows(DigestRecord(category.digest), of: category.id)
        let properties = category.properties.map { row(PropertyRecord($0), of: category.id) }
        return Row(
            .category(category.id),
            title: category.name.onOneLine,
            text: [category.description.onOneLine, required].filter { !$0.isEmpty }.joined(separator: "\n"),
            value: hasSwitch ? .toggle(category.preference.isOn) : nil,
            isEditable: category.isEditable,
            rows: channels + digest + properties
        )
    }

    static var fixed: String { translated("Cannot be changed.") }

    private func row(_ level: ChannelSetting) -> Row {
        Row(
            .level(channel: level.channel),
            title: level.channel.onOneLine,
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
        var rows = [Row(.schedule(category: category), title: translated("Digest"), text: name.onOneLine)]
        if let days = digest.weekdays {
            let chosen = Weekday.codes.indices(of: days)
            let names = Weekday.allCases.map(\.name)
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
            title: (property.label.isEmpty ? property.id : property.label).onOneLine,
            text: property.isEditable ? "" : Self.fixed,
            value: property.formValue,
            choices: property.choices.map { $0.elements.0.onOneLine },
            isEditable: property.isEditable
        )
    }
}

extension PropertyRecord {
    fileprivate var formValue: FormValue {
        let content = self.value ?? self.defaultValue
        let list = content.flatMap { try? [String](dbus: $0) }
        let values = self.choices.map { $0.elements.1 }
        if !values.isEmpty {
            guard self.kind == "list" else { return .choice(content.flatMap(values.firstIndex(of:))) }
            return .several(values.map { $0.text ?? "" }.indices(of: list ?? []))
        }
        switch content {
        case .int64(let number): return .number(number)
        case .string(let text): return .text(text)
        default: return self.kind == "integer" ? .number(0) : .text(list?.joined(separator: ", ") ?? "")
        }
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
