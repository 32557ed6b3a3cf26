import AgentInterface
import VisibleText

/// The output of `feedbell preferences`: sections, their categories with their channels, and the channels' levels.
struct PreferencesReport {
    struct Category {
        var section: String
        var sectionDescription: String
        /// The displayed name and the id.
        var name: String
        var description: String
        var preference: Setting
        var channels: [(name: String, setting: Setting)]
        /// Lines about the digest schedule and the properties.
        var details: [String]
    }

    struct Setting {
        var isOn: Bool
        /// Whether the user cannot change it.
        var isFixed: Bool
    }

    /// The mark of what the user cannot change.
    static var fixed: String {
        // Translators: The mark of a setting that cannot be changed.
        translated("(fixed)")
    }

    var categories: [Category]
    var levels: [(channel: String, level: String)]
    /// Whether descriptions of sections and categories have lines of their own.
    var isLong: Bool

    init(categories: [CategoryRecord], levels: [(channel: String, level: String)], isLong: Bool = false) {
        self.isLong = isLong
        self.categories = categories.map(Category.init)
        self.levels = levels.map { ($0.channel.onOneLine, $0.level.onOneLine) }
    }

    /// The report for programs, and for terminals that are too narrow for the table.
    var text: String {
        var lines: [String] = []
        var section = ""
        for category in categories {
            if category.section != section {
                if !lines.isEmpty { lines.append("") }
                if !category.section.isEmpty { lines.append(category.section) }
                section = category.section
                if isLong, !category.sectionDescription.isEmpty { lines.append("  " + category.sectionDescription) }
            }
            lines.append("  \(category.name): \(category.preference.words)")
            if isLong, !category.description.isEmpty { lines.append("    " + category.description) }
            if !category.channels.isEmpty { lines.append("    " + category.channelWords) }
            lines += category.details.map { "    " + $0 }
        }
        if !levels.isEmpty {
            if !lines.isEmpty { lines.append("") }
            lines.append(translated("Channels"))
            lines += levels.map { "  \($0.channel): \($0.level)" }
        }
        return lines.map { $0 + "\n" }.joined()
    }

    /// The minimum width of the column with descriptions.
    private static let descriptionWidth = 24

    /// A table with a column for each channel, and "*" after settings that cannot be changed. In a wide terminal, the
    /// descriptions of sections and categories are at the end of their lines. nil: the terminal is too narrow.
    func table(_ terminal: Terminal) -> String? {
        let channels = channels
        let widths = channels.map { channel in
            max(4, channel.columns, levels.first { $0.channel == channel }?.level.columns ?? 0, columns(of: channel))
        }
        let needed = widths.reduce(8) { $0 + 2 + $1 }
        let longest = categories.map { $0.name.columns + 2 }.max() ?? 0
        guard !channels.isEmpty, terminal.columns - needed >= min(longest, 24) else { return nil }
        // Translators: The row of a table with the setting of each channel for all categories.
        let all = translated("All categories")
        let nameWidth = max(min(longest, terminal.columns - needed), all.columns)

        let room = isLong ? 0 : terminal.columns - nameWidth - needed
        let showsDescriptions = room >= Self.descriptionWidth

        func row(_ name: String, _ preference: String, _ cells: [String], _ description: String = "") -> String {
            var line = name.padded(toColumns: nameWidth) + "  " + preference.padded(toColumns: 4)
            for (cell, width) in zip(cells, widths) { line += "  " + cell.padded(toColumns: width) }
            if showsDescriptions, !description.isEmpty {
                return line + "  " + terminal.text(description.cut(toColumns: room), .dim) + "\n"
            }
            while line.last == " " { line.removeLast() }
            return line + "\n"
        }
        func cell(_ setting: Setting?, of category: Category? = nil) -> String {
            guard let setting else { return terminal.text("-", .dim) }
            let isOverruled = category?.overrules(setting) == true
            return terminal.text(setting.mark(isOverruled), isOverruled ? .dim : setting.isOn ? .green : .yellow)
        }

        /// A description on lines of its own.
        func lines(_ description: String, indented indent: String) -> String {
            guard isLong, !description.isEmpty else { return "" }
            return description.wrapped(toColumns: terminal.columns - indent.columns, hanging: 0)
                .split(separator: "\n").map { indent + terminal.text(String($0), .dim) + "\n" }.joined()
        }
        func heading(_ category: Category) -> String {
            let name = category.section.cut(toColumns: terminal.columns)
            let rest =
                showsDescriptions && !category.sectionDescription.isEmpty ? " — " + category.sectionDescription : ""
            return terminal.text(name, .bold)
                + terminal.text(rest.cut(toColumns: terminal.columns - name.columns), .dim) + "\n"
                + lines(category.sectionDescription, indented: "  ")
        }

        var text = row("", "", channels.map { terminal.text($0, .bold) })
        var section = ""
        for category in categories {
            if category.section != section {
                text += heading(category)
            }
            section = category.section
            let cells = channels.map { channel in
                cell(category.channels.first { $0.name == channel }?.setting, of: category)
            }
            let name = ("  " + category.name).cut(toColumns: nameWidth)
            text += row(name, cell(category.preference), cells, category.description)
            text += lines(category.description, indented: "    ")
            for line in category.details {
                text += terminal.text(("    " + line).cut(toColumns: terminal.columns), .dim) + "\n"
            }
        }
        if !levels.isEmpty {
            let cells = channels.map { channel in levels.first { $0.channel == channel }?.level ?? "" }
            text += row(terminal.text(all, .bold), "", cells)
        }
        let hasFixed = categories.contains { $0.preference.isFixed || $0.channels.contains(where: \.setting.isFixed) }
        if categories.contains(where: \.overrulesChannels) {
            // Translators: Explains "(on)" in a table of preferences. The channel of a category that is off.
            text += terminal.text(translated("(on) is off as long as the category is off"), .dim) + "\n"
        }
        return text + (hasFixed ? terminal.text(translated("* cannot be changed"), .dim) + "\n" : "")
    }

    /// The width of a channel's cells.
    private func columns(of channel: String) -> Int {
        let marks = categories.flatMap { category in
            category.channels.filter { $0.name == channel }.map { $0.setting.mark(category.overrules($0.setting)) }
        }
        return marks.map(\.columns).max() ?? 0
    }

    /// Every channel, in the service's order.
    private var channels: [String] {
        (levels.map(\.channel) + categories.flatMap { $0.channels.map(\.name) }).reduce(into: []) { known, channel in
            if !known.contains(channel) { known.append(channel) }
        }
    }
}

extension PreferencesReport.Category {
    fileprivate init(_ category: CategoryRecord) {
        section = category.section.onOneLine
        sectionDescription = category.sectionDescription.onOneLine
        description = category.description.onOneLine
        name = "\(category.name) [\(category.id)]".onOneLine
        preference = .init(isOn: category.preference.isOn, isFixed: !category.isEditable)
        channels = category.channels.map {
            ($0.name.onOneLine, .init(isOn: $0.preference.isOn, isFixed: !$0.isEditable))
        }
        let digest = category.digest.isEmpty ? [] : [DigestRecord(category.digest).line]
        details = (digest + category.properties.map { PropertyRecord($0).words }).map(\.onOneLine)
    }
}

extension PreferencesReport.Category {
    /// Whether a channel is on, but the category is off, which decides.
    fileprivate func overrules(_ setting: PreferencesReport.Setting) -> Bool { !preference.isOn && setting.isOn }

    fileprivate var overrulesChannels: Bool { channels.contains { overrules($0.setting) } }

    /// `email on (fixed), inbox off`.
    fileprivate var channelWords: String {
        let words = channels.map { "\($0.name) \($0.setting.words)" }.joined(separator: ", ")
        guard overrulesChannels else { return words }
        // Translators: A category of the preferences that is off, and the settings of its channels, such as "email on".
        return translated("off on all channels; when it is on: {channels}", ["channels": words])
    }
}

extension PreferencesReport.Setting {
    /// The cell of a table.
    fileprivate func mark(_ isOverruled: Bool) -> String {
        let word = isOn ? "on" : "off"
        return (isOverruled ? "(\(word))" : word) + (isFixed ? "*" : "")
    }

    fileprivate var words: String { (isOn ? "on" : "off") + (isFixed ? " " + PreferencesReport.fixed : "") }
}
