import AgentInterface
import VisibleText

/// The preferences of one account as a table: categories in rows, channels in columns.
struct PreferenceTable: Equatable {
    let account: String
    /// Whether categories have a switch of their own, which is the first column.
    var hasCategorySwitches = false
    private(set) var categories: [CategoryRecord] = []
    private(set) var isLoaded = false
    /// Why there are none, in a sentence; nil: they were loaded.
    private(set) var failure: String?
    private(set) var row = 0
    private(set) var column = 0

    init(account: String, hasCategorySwitches: Bool) {
        (self.account, self.hasCategorySwitches) = (account, hasCategorySwitches)
    }

    /// A column: a channel, or nil: the switch of the category.
    typealias Column = String?

    var columns: [Column] {
        var channels: [String] = []
        for channel in categories.lazy.flatMap(\.channels) where !channels.contains(channel.name) {
            channels.append(channel.name)
        }
        return (hasCategorySwitches ? [nil] : []) + channels.map(Optional.some)
    }

    struct Cell: Equatable {
        var isOn: Bool
        var isEditable: Bool
    }

    /// nil: the category does not have the channel.
    func cell(_ category: CategoryRecord, _ column: Column) -> Cell? {
        guard let name = column else {
            return Cell(isOn: category.preference.isOn, isEditable: category.isEditable)
        }
        return category.channels.first { $0.name == name }.map {
            Cell(isOn: $0.preference.isOn, isEditable: $0.isEditable)
        }
    }

    mutating func load(_ categories: [CategoryRecord], failure: String?) {
        isLoaded = true
        self.failure = failure
        if failure == nil || self.categories.isEmpty { self.categories = categories }
        move(rows: 0, columns: 0)
    }

    mutating func move(rows: Int, columns count: Int) {
        row = min(max(0, row + rows), max(0, categories.count - 1))
        column = min(max(0, column + count), max(0, columns.count - 1))
    }

    /// Switches the selected cell.
    ///
    /// - Returns: The request; nil: the cell cannot be changed.
    mutating func toggle() -> InboxScreen.Request? {
        let columns = columns
        guard categories.indices.contains(row), columns.indices.contains(column),
            let cell = cell(categories[row], columns[column]), cell.isEditable
        else { return nil }
        let preference = PreferenceSwitch(isOn: !cell.isOn)
        if let name = columns[column] {
            categories[row].channels = categories[row].channels.map { channel in
                var channel = channel
                if channel.name == name { channel.preference = preference }
                return channel
            }
        } else {
            categories[row].preference = preference
        }
        return .setPreference(category: categories[row].id, channel: columns[column], isOn: preference.isOn)
    }

    // MARK: Drawing

    /// The index of the first column with a cell on the screen, and the number of columns.
    private func shownColumns(_ widths: [Int], room: Int) -> Range<Int> {
        var start = 0
        func end(from start: Int) -> Int {
            var (end, sum) = (start, 0)
            while end < widths.count, sum + widths[end] + 2 <= room || end == start {
                sum += widths[end] + 2
                end += 1
            }
            return end
        }
        while column >= end(from: start), start < column { start += 1 }
        return start..<end(from: start)
    }

    /// The index of the first category on the screen, below the heading.
    private func top(rows: Int) -> Int { max(0, row - max(0, rows - 2)) }

    /// The index of the line with the selected category.
    func selectedLine(rows: Int) -> Int { categories.isEmpty ? 0 : 1 + row - top(rows: rows) }

    /// - Parameter width: In columns of the terminal.
    func lines(width: Int, rows: Int, _ terminal: Terminal) -> [String] {
        if let failure, categories.isEmpty { return [failure.onOneLine.cut(toColumns: width)] }
        if !isLoaded { return [translated("Loading …").cut(toColumns: width)] }
        if categories.isEmpty { return [translated("The service has no preferences for you.").cut(toColumns: width)] }
        let columns = columns
        // Translators: The heading of a column with the switch of a whole category.
        let titles = columns.map { ($0 ?? translated("All")).onOneLine.cut(toColumns: 12).isolatedInColumns }
        let widths = titles.map { max(4, $0.columns) }
        let names = categories.map(\.name.onOneLine)
        let nameWidth = max(
            8,
            min(names.map(\.columns).max() ?? 0, width - min(width / 2, widths.reduce(0) { $0 + $1 + 2 }))
        )
        let shown = shownColumns(widths, room: max(0, width - nameWidth - 1))

        var heading = String(repeating: " ", count: nameWidth + 1)
        for index in shown { heading += "  " + titles[index].padded(toColumns: widths[index]) }
        var lines = [terminal.text(heading.cutWithIsolates(toColumns: width), .bold)]
        let top = top(rows: rows)
        for index in categories.indices.dropFirst(top).prefix(max(0, rows - 1)) {
            let mark = index == row ? ">" : " "
            let name = names[index].cut(toColumns: nameWidth).isolatedInColumns.padded(toColumns: nameWidth)
            var (line, plain) = (mark + name, mark + name)
            for number in shown {
                let cell = cell(categories[index], columns[number])
                let isOverruled = columns[number] != nil && !categories[index].preference.isOn
                let text = text(cell, isOverruled: isOverruled).padded(toColumns: widths[number])
                let isSelected = index == row && number == column
                line += "  " + (isSelected ? terminal.reversed(text) : text)
                plain += "  " + text
            }
            lines.append(plain.columns > width ? plain.cutWithIsolates(toColumns: width) : line)
        }
        return lines
    }

    /// - Parameter isOverruled: Whether the category is off, which decides.
    private func text(_ cell: Cell?, isOverruled: Bool) -> String {
        guard let cell else { return " -" }
        return (!cell.isOn ? "[ ]" : isOverruled ? "(x)" : "[x]") + (cell.isEditable ? "" : "*")
    }

    /// The description of the selected category, or why its cell cannot be changed or has no effect.
    var details: String {
        guard categories.indices.contains(row) else { return "" }
        let columns = columns
        if columns.indices.contains(column), let cell = cell(categories[row], columns[column]), !cell.isEditable {
            return translated("Cannot be changed.")
        }
        if !categories[row].preference.isOn, categories[row].channels.contains(where: \.preference.isOn) {
            // Translators: Explains "(x)" in a table of preferences. The channel of a category that is off.
            return translated("(x) is off as long as the category is off")
        }
        return categories[row].description.onOneLine
    }
}
