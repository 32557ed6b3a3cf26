import GTK
import Window

/// The control of a value.
final class FormControl {
    private enum Kind {
        case none
        case toggle(Switch)
        case choice(ComboRow)
        case several([CheckButton], Widget)
        case number(SpinButton)
        case text(EntryRow)
        case typed(EntryRow)
        case secret(PasswordRow)
        case press

        var isNone: Bool { if case .none = self { true } else { false } }
    }

    private let kind: Kind
    private let changed: (FormValue) -> Void

    /// - Parameters:
    ///   - entered: Enter was pressed in the text.
    ///   - changed: Not called when ``value`` is set.
    init<ID>(_ row: FormRow<ID>, entered: @escaping () -> Void, changed: @escaping (FormValue) -> Void) {
        self.changed = changed
        kind =
            switch row.value {
            case nil: .none
            case .toggle: .toggle(Switch())
            case .choice: .choice(ComboRow(row.choices))
            case .several: Self.several(row.choices)
            case .number: .number(SpinButton(-1_000_000...1_000_000))
            case .text: .text(EntryRow())
            case .typed: .typed(EntryRow())
            case .secret: .secret(PasswordRow())
            case .press: .press
            }
        connect(entered: entered)
    }

    /// The control without its row; nil: it is a row of its own.
    var widget: Widget? {
        switch kind {
        case .toggle(let widget): widget
        case .number(let widget): widget
        case .several(_, let widget): widget
        case .none, .choice, .text, .typed, .secret, .press: nil
        }
    }

    /// Shows a value, and whether it can be changed.
    func show(_ new: FormValue?, isEditable: Bool) {
        value = new
        widget?.isSensitive = isEditable
    }

    /// Shows what the row of the control alone has beside the value.
    func showRow(title: String, text: String, isEditable: Bool) {
        row.setTitle(title)
        // Entries have no place for an explanation.
        (row as? ActionRow)?.setSubtitle(text)
        if widget == nil, !kind.isNone { row.isSensitive = isEditable }
    }

    /// The row of the control alone.
    private(set) lazy var row: PreferencesRow = makeRow()

    private func makeRow() -> PreferencesRow {
        switch kind {
        case .choice(let row): return row
        case .text(let row), .typed(let row): return row
        case .secret(let row): return row
        case .press:
            let row = ActionRow()
            row.onPress { [weak self] in self?.changed(.press) }
            return row
        case .none, .toggle, .several, .number:
            let row = ActionRow()
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
            case .typed(let row): .typed(row.text)
            case .secret(let row): .secret(row.text)
            case .press: .press
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
            // A text that is being typed stays as it is.
            case (.text(let row), .text(let text)), (.typed(let row), .typed(let text)):
                if newValue != shown { row.text = text }
            case (.secret(let row), .secret(let text)): if newValue != shown { row.text = text }
            default: break
            }
            shown = newValue
        }
    }

    private func connect(entered: @escaping () -> Void) {
        // Widgets may report while they are destroyed.
        let report = { [weak self] in
            if let self, !isSetting, let value { changed(value) }
        }
        func typing(_ row: EntryRow) {
            row.onTyping { [weak self] in
                self?.shown = self?.value
                report()
            }
            row.onEnter(entered)
        }
        switch kind {
        case .none, .press: break
        case .typed(let row): typing(row)
        case .secret(let row): typing(row)
        case .toggle(let widget): widget.onChange(of: "active", report)
        case .choice(let row): row.onChoice(report)
        case .several(let buttons, _): for button in buttons { button.on("toggled", report) }
        case .number(let widget): widget.on("value-changed", report)
        case .text(let row): row.onApply(report)
        }
    }
}
