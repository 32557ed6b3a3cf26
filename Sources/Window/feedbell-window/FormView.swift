import GTK
import Window

/// Draws the groups of a form in a page. Rows keep their widgets while only values and problems change.
final class FormView<ID: Hashable & Sendable> {
    let page: RowPage
    private let changed: (ID, FormValue) -> Void
    /// Enter was pressed in a text.
    private let entered: () -> Void
    /// The groups that the widgets were made for, without their values.
    private var shape: [FormGroup<ID>] = []
    private var groups: [RowGroup] = []
    /// Those of each group.
    private var controls: [[ID: FormControl]] = []

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
        let newShape = new.map(\.withoutValues)
        let kept = zip(shape, newShape).prefix { $0 == $1 }.count
        // A page adds groups at its end only.
        for group in groups[kept...] { page.remove(group) }
        groups.removeSubrange(kept...)
        controls.removeSubrange(kept...)
        for group in new[kept...] { add(group) }
        shape = newShape
        for (group, controls) in zip(new, controls) {
            for row in group.rows.flatMap(\.all) {
                controls[row.id]?.value = row.value
                controls[row.id]?.problem = row.problem
            }
        }
    }

    private func add(_ group: FormGroup<ID>) {
        let widget = RowGroup(title: group.title, text: group.text)
        controls.append([:])
        for row in group.rows {
            for part in makeRow(row) { widget.add(part) }
        }
        page.add(widget)
        groups.append(widget)
    }

    /// The row, and the one for its problem.
    private func makeRow(_ row: FormRow<ID>) -> [Widget] {
        let control = FormControl(row, entered: entered) { [unowned self] in changed(row.id, $0) }
        controls[controls.count - 1][row.id] = control
        guard !row.rows.isEmpty else { return [control.row] + [control.problemRow].compactMap(\.self) }
        let expander = ExpanderRow()
        expander.setTitle(row.title)
        expander.setSubtitle(row.text)
        if let widget = control.widget {
            // Other rows name their controls themselves.
            widget.setAccessibleLabel(row.title)
            expander.add(control: widget)
        }
        for child in row.rows {
            for part in makeRow(child) { expander.add(part) }
        }
        return [expander]
    }
}

extension FormGroup {
    fileprivate var withoutValues: FormGroup {
        var group = self
        group.rows = rows.map(\.withoutValues)
        return group
    }
}

extension FormRow {
    fileprivate var withoutValues: FormRow {
        var row = self
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
        row.problem = ""
        row.rows = rows.map(\.withoutValues)
        return row
    }

    /// It and the rows below it.
    fileprivate var all: [FormRow] { [self] + rows.flatMap(\.all) }
}
