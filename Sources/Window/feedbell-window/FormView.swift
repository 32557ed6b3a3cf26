import GTK
import Window

/// Draws the groups of a form in a page. Rows keep their widgets while only their texts and values change.
final class FormView<ID: Hashable & Sendable> {
    let page: RowPage
    private let changed: (ID, FormValue) -> Void
    /// Enter was pressed in a text.
    private let entered: () -> Void
    /// The shapes of the groups that the widgets were made for.
    private var shape: [FormGroup<ID>] = []
    private var groups: [RowGroup] = []
    /// Those of each group.
    private var lines: [[ID: FormLine]] = []

    /// - Parameter changed: The user has changed the value of a row.
    init(
        title: String,
        icon: String,
        entered: @escaping () -> Void = {},
        changed: @escaping (ID, FormValue) -> Void
    ) {
        page = RowPage(title: title, icon: icon)
        (self.entered, self.changed) = (entered, changed)
    }

    func show(_ new: [FormGroup<ID>]) {
        let newShape = new.map(\.shape)
        let kept = zip(shape, newShape).prefix { $0 == $1 }.count
        if kept < groups.count || kept < new.count { make(new, from: kept) }
        shape = newShape
        for (group, lines) in zip(new, lines) {
            for row in group.rows.flatMap(\.all) { lines[row.id]?.show(row) }
        }
    }

    /// Makes the groups from a position on: a page adds groups at its end only.
    private func make(_ new: [FormGroup<ID>], from position: Int) {
        let old = lines[position...]
        let unfolded = Set(old.joined().filter(\.value.isUnfolded).map(\.key))
        let focused = old.joined().first { $0.value.hasFocus }?.key
        for group in groups[position...] { page.remove(group) }
        groups.removeSubrange(position...)
        lines.removeSubrange(position...)
        for group in new[position...] {
            let widget = RowGroup(title: group.title, text: group.text)
            lines.append([:])
            for row in group.rows {
                for part in makeRow(row) { widget.add(part) }
            }
            page.add(widget)
            groups.append(widget)
        }
        for (id, line) in lines[position...].joined() {
            if unfolded.contains(id) { line.isUnfolded = true }
            if id == focused { line.takeFocus() }
        }
    }

    /// The row, and the one for its problem.
    private func makeRow(_ row: FormRow<ID>) -> [Widget] {
        let line = FormLine(row, entered: entered) { [unowned self] in changed(row.id, $0) }
        lines[lines.count - 1][row.id] = line
        for child in row.rows {
            for part in makeRow(child) { line.add(part) }
        }
        return line.widgets
    }
}

extension FormGroup {
    /// The part that decides which widgets there are.
    fileprivate var shape: FormGroup {
        FormGroup(title: title, text: text, rows: rows.map(\.shape))
    }
}

extension FormRow {
    fileprivate var shape: FormRow {
        var row = FormRow(id, title: "", choices: choices, rows: rows.map(\.shape))
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
            }
        return row
    }

    /// It and the rows below it.
    fileprivate var all: [FormRow] { [self] + rows.flatMap(\.all) }
}
