import GTK
import Window

/// Draws the groups of a form in a page. Rows keep their widgets while only values change.
final class FormView<ID: Hashable & Sendable> {
    let page: RowPage
    private let changed: (ID, FormValue) -> Void
    /// The groups that the widgets were made for, without their values.
    private var shape: [FormGroup<ID>] = []
    private var groups: [RowGroup] = []
    private var controls: [ID: FormControl] = [:]

    /// - Parameter changed: The user has changed the value of a row.
    init(title: String, icon: String, changed: @escaping (ID, FormValue) -> Void) {
        page = RowPage(title: title, icon: icon)
        self.changed = changed
    }

    func show(_ new: [FormGroup<ID>]) {
        let newShape = new.map(\.withoutValues)
        if newShape != shape { make(new) }
        shape = newShape
        for row in new.flatMap(\.rows).flatMap(\.all) {
            controls[row.id]?.value = row.value
        }
    }

    private func make(_ new: [FormGroup<ID>]) {
        for group in groups { page.remove(group) }
        controls = [:]
        groups = new.map { group in
            let widget = RowGroup(title: group.title, text: group.text)
            for row in group.rows { widget.add(makeRow(row)) }
            page.add(widget)
            return widget
        }
    }

    private func makeRow(_ row: FormRow<ID>) -> Widget {
        let control = FormControl(row) { [unowned self] in changed(row.id, $0) }
        controls[row.id] = control
        guard !row.rows.isEmpty else { return control.row }
        let expander = ExpanderRow()
        expander.setTitle(row.title)
        expander.setSubtitle(row.text)
        if let widget = control.widget {
            // Other rows name their controls themselves.
            widget.setAccessibleLabel(row.title)
            expander.add(control: widget)
        }
        for child in row.rows { expander.add(makeRow(child)) }
        return expander
    }
}

/// The control of one row, and the row that shows it alone.
final class FormControl {
    private enum Kind {
        case none
        case toggle(Switch)
        case choice(ComboRow)
        case several([CheckButton], Widget)
        case number(SpinButton)
        case text(EntryRow)
    }

    private let kind: Kind
    private let title: String
    private let text: String
    private let isEditable: Bool

    /// - Parameter changed: Not called when ``value`` is set.
    init<ID>(_ row: FormRow<ID>, changed: @escaping (FormValue) -> Void) {
        (title, text, isEditable) = (row.title, row.text, row.isEditable)
        kind =
            switch row.value {
            case nil: .none
            case .toggle: .toggle(Switch())
            case .choice: .choice(ComboRow(row.choices))
            case .several: Self.several(row.choices)
            case .number: .number(SpinButton(-1_000_000...1_000_000))
            case .text: .text(EntryRow())
            }
        value = row.value
        connect(changed)
        widget?.isSensitive = isEditable
    }

    /// The control without its row; nil: it is a row of its own.
    var widget: Widget? {
        switch kind {
        case .toggle(let widget): widget
        case .number(let widget): widget
        case .several(_, let widget): widget
        case .none, .choice, .text: nil
        }
    }

    private(set) lazy var row: Widget = makeRow()

    private func makeRow() -> Widget {
        switch kind {
        case .choice(let row):
            row.setTitle(title)
            row.setSubtitle(text)
            row.isSensitive = isEditable
            return row
        case .text(let row):
            row.setTitle(title)
            row.isSensitive = isEditable
            return row
        case .none, .toggle, .several, .number:
            let row = ActionRow()
            row.setTitle(title)
            row.setSubtitle(text)
            if let widget { row.add(control: widget) }
            return row
        }
    }

    private static func several(_ choices: [String]) -> Kind {
        let buttons = choices.enumerated().map { index, label in
            """
            <child><object class="GtkCheckButton" id="button-\(index)">
              <property name="label">\(Markup.escaped(label))</property>
            </object></child>
            """
        }
        let builder = Builder(
            """
            <object class="GtkBox" id="box">
              <property name="orientation">vertical</property>
              <property name="margin-top">6</property><property name="margin-bottom">6</property>
              \(buttons.joined())
            </object>
            """
        )
        return .several(choices.indices.map { builder.get("button-\($0)") }, builder.get("box"))
    }

    private var isSetting = false
    /// The last value that was set.
    private var shown: FormValue?

    /// nil: it has no control.
    var value: FormValue? {
        get {
            switch kind {
            case .none: nil
            case .toggle(let widget): .toggle(widget.isActive)
            case .choice(let row): .choice(row.chosen)
            case .several(let buttons, _): .several(Set(buttons.indices.filter { buttons[$0].isActive }))
            case .number(let widget): .number(Int64(widget.value))
            case .text(let row): .text(row.text)
            }
        }
        set {
            isSetting = true
            defer { isSetting = false }
            switch (kind, newValue) {
            case (.toggle(let widget), .toggle(let isOn)): widget.isActive = isOn
            case (.choice(let row), .choice(let index)): row.chosen = index
            case (.several(let buttons, _), .several(let chosen)):
                for (index, button) in buttons.enumerated() { button.isActive = chosen.contains(index) }
            case (.number(let widget), .number(let number)): widget.value = Double(number)
            // A text that is being typed stays until it is applied.
            case (.text(let row), .text(let text)): if newValue != shown { row.text = text }
            default: break
            }
            shown = newValue
        }
    }

    private func connect(_ changed: @escaping (FormValue) -> Void) {
        // Widgets may report while they are destroyed.
        let report = { [weak self] in
            if let self, !isSetting, let value { changed(value) }
        }
        switch kind {
        case .none: break
        case .toggle(let widget): widget.onChange(of: "active", report)
        case .choice(let row): row.onChoice(report)
        case .several(let buttons, _): for button in buttons { button.on("toggled", report) }
        case .number(let widget): widget.on("value-changed", report)
        case .text(let row): row.onApply(report)
        }
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
            }
        row.rows = rows.map(\.withoutValues)
        return row
    }

    /// It and the rows below it.
    fileprivate var all: [FormRow] { [self] + rows.flatMap(\.all) }
}
