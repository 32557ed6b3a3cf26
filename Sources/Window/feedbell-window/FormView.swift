import GTK
import Window

/// Draws the groups of a form in a page. Rows keep their widgets while only their texts and values change.
///
/// Many rows are made in short steps, between which the window is drawn and answers.
final class FormView<ID: Hashable & Sendable> {
    let page: RowPage
    private let changed: (ID, FormValue) -> Void
    private let unfolded: (ID) -> Void
    /// Enter was pressed in a text.
    private let entered: () -> Void
    private var wanted: [FormGroup<ID>] = []
    /// The shapes of the groups as far as widgets were made for them.
    private var shape: [FormGroup<ID>] = []
    private var groups: [RowGroup] = []
    /// Groups that were removed, to be used again: libadwaita 1.2 keeps each group that its window had once.
    private var spareGroups: [RowGroup] = []
    /// The lines of each group, by their rows.
    private var lines: [[ID: FormLine]] = []
    /// The state of lines that are made again.
    private var removed = (unfolded: Set<ID>(), focused: ID?.none)
    private var isMaking = false

    /// - Parameters:
    ///   - unfolded: The user has unfolded the rows below a row.
    ///   - changed: The user has changed the value of a row.
    init(
        title: String,
        icon: String,
        entered: @escaping () -> Void = {},
        unfolded: @escaping (ID) -> Void = { _ in },
        changed: @escaping (ID, FormValue) -> Void
    ) {
        page = RowPage(title: title, icon: icon)
        (self.entered, self.unfolded, self.changed) = (entered, unfolded, changed)
    }

    func show(_ new: [FormGroup<ID>]) {
        wanted = new
        let kept = zip(shape, new).prefix { $0.isBeginning(of: $1.shape) }.count
        if kept < groups.count { remove(from: kept) }
        for (group, lines) in zip(new, lines) {
            for row in group.rows.flatMap(\.all) { lines[row.id]?.show(row) }
        }
        if !isMaking { make() }
    }

    /// Reports the changes of the user that were not reported yet.
    func reportChanges() { for line in lines.joined() { line.value.reportIfDue() } }

    /// Applies the texts that were typed.
    func applyTexts() { for line in lines.joined() { line.value.applyText() } }

    /// Gives the focus to a row, which is unfolded for it.
    func focus(_ id: ID) {
        for (group, lines) in zip(wanted, lines) {
            let parent = group.rows.first { $0.all.dropFirst().contains { $0.id == id } }
            if let parent { lines[parent.id]?.isUnfolded = true }
            if let line = lines[id] { return line.takeFocus() }
        }
        // It is not made yet.
        removed.focused = id
    }

    /// Removes the groups from a position on: a page adds groups at its end only.
    private func remove(from position: Int) {
        let old = lines[position...]
        removed.unfolded.formUnion(old.joined().filter(\.value.isUnfolded).map(\.key))
        removed.focused = old.joined().first { $0.value.hasFocus }?.key ?? removed.focused
        for group in groups[position...] { page.remove(group) }
        spareGroups += groups[position...]
        groups.removeSubrange(position...)
        lines.removeSubrange(position...)
        shape.removeSubrange(position...)
    }

    // MARK: Making

    private func make() {
        isMaking = true
        Later.inSteps { [weak self] in
            guard let self else { return false }
            if makeNext() { return true }
            isMaking = false
            removed = ([], nil)
            return false
        }
    }

    /// - Returns: Whether something was missing.
    private func makeNext() -> Bool {
        for (index, group) in wanted.enumerated() {
            if index == groups.count {
                let widget = spareGroups.popLast() ?? RowGroup()
                widget.set(title: group.title, text: group.text)
                page.add(widget)
                groups.append(widget)
                lines.append([:])
                shape.append(FormGroup(title: group.title, text: group.text))
                return true
            }
            for (position, row) in group.rows.enumerated() {
                if position == shape[index].rows.count {
                    for part in make(row, in: index).widgets { groups[index].add(part) }
                    shape[index].rows.append(row.shape(rows: []))
                    restore(row.id, in: index)
                    return true
                }
                let made = shape[index].rows[position].rows.count
                if made < row.rows.count {
                    add(row.rows[made], to: row.id, in: index)
                    shape[index].rows[position].rows.append(row.rows[made].shape)
                    return true
                }
            }
        }
        return false
    }

    /// Makes the row, and the one for its problem.
    private func make(_ row: FormRow<ID>, in group: Int) -> FormLine {
        let line = FormLine(
            row,
            entered: entered,
            unfolded: { [unowned self] in unfolded(row.id) },
            changed: { [unowned self] in changed(row.id, $0) }
        )
        lines[group][row.id] = line
        line.show(row)
        return line
    }

    /// Adds a row, and all rows below it, to those below another one.
    private func add(_ row: FormRow<ID>, to parent: ID, in group: Int) {
        for part in make(row, in: group).widgets { lines[group][parent]?.add(part) }
        for child in row.rows { add(child, to: row.id, in: group) }
        restore(row.id, in: group)
    }

    private func restore(_ id: ID, in group: Int) {
        if removed.unfolded.contains(id) { lines[group][id]?.isUnfolded = true }
        if id == removed.focused { lines[group][id]?.takeFocus() }
    }
}

extension FormGroup {
    /// The part that decides which widgets there are.
    fileprivate var shape: FormGroup {
        FormGroup(title: title, text: text, rows: rows.map(\.shape))
    }

    /// Whether the other one has the same rows, and maybe further ones after them.
    fileprivate func isBeginning(of other: FormGroup) -> Bool {
        title == other.title && text == other.text && rows.isBeginning(of: other.rows)
    }
}

extension Array {
    fileprivate func isBeginning<ID>(of other: [FormRow<ID>]) -> Bool where Element == FormRow<ID> {
        count <= other.count
            && zip(self, other).allSatisfy { row, other in
                row.shape(rows: []) == other.shape(rows: []) && row.rows.isBeginning(of: other.rows)
            }
    }
}

extension FormRow {
    fileprivate var shape: FormRow { shape(rows: rows.map(\.shape)) }

    fileprivate func shape(rows: [FormRow]) -> FormRow {
        var row = FormRow(id, title: "", choices: choices, mark: mark, rows: rows, isFoldable: isFoldable)
        row.value =
            switch value {
            case nil: nil
            case .toggle: .toggle(false)
            case .choice: .choice(nil)
            case .several: .several([])
            case .number: .number(0)
            case .text: .text("")
            case .typed: .typed("")
            case .secret: .secret("")
            case .press: .press
            case .open: .open
            }
        return row
    }

    /// The row and those below it.
    fileprivate var all: [FormRow] { [self] + rows.flatMap(\.all) }
}
