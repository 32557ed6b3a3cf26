import GTK
import VisibleText
import Window

/// The control of a value.
final class FormControl {
    private enum Kind {
        case none
        case toggle(Switch)
        case choice(ComboRow)
        case several([CheckButton], Widget)
        case number(SpinButton)
        case text(FieldRow)
        case typed(FieldRow)
        case secret(FieldRow)
        case press(opens: Bool)

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
            case .text: .text(FieldRow())
            case .typed: .typed(FieldRow())
            case .secret: .secret(FieldRow(isSecret: true))
            case .press: .press(opens: false)
            case .open: .press(opens: true)
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
    func showRow<ID>(_ content: FormRow<ID>) {
        if let field {
            // It has no place for an explanation.
            field.setTitle(content.title, spoken: content.spokenTitle)
            field.setProblem(content.problem)
        } else {
            row.setTitle(content.title)
            (row as? ActionRow)?.setSubtitle(content.text)
            row.setSpoken(content.spokenTitle, content.spokenText)
        }
        row.set(style: "error", !content.problem.isEmpty)
        if widget == nil, !kind.isNone { row.isSensitive = content.isEditable }
    }

    /// Names the controls for screen readers.
    func name(_ title: String, choices: [String]) {
        if case .several(let buttons, _) = kind {
            for (button, choice) in zip(buttons, choices) {
                button.setAccessibleLabel(translatedList([choice, title]))
            }
        } else {
            widget?.setAccessibleLabel(title)
        }
    }

    /// nil: it is no text.
    private var field: FieldRow? {
        switch kind {
        case .text(let field), .typed(let field), .secret(let field): field
        case .none, .toggle, .choice, .several, .number, .press: nil
        }
    }

    /// The row of the control alone.
    private(set) lazy var row: PreferencesRow = makeRow()

    private func makeRow() -> PreferencesRow {
        switch kind {
        case .choice(let row): return row
        case .text(let field), .typed(let field), .secret(let field): return field.row
        case .press(let opens):
            let row = ActionRow()
            row.onPress(opens: opens) { [weak self] in self?.changed(.press) }
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
    private var isReportDue = false
    /// The last value that was set or reported.
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
            case .text(let field): .text(field.text)
            case .typed(let field): .typed(field.text)
            case .secret(let field): .secret(field.text)
            case .press: .press
            }
        }
        set {
            // What the user has done is newer. What follows from it is shown then.
            if isReportDue { return report() }
            isSetting = true
            defer { isSetting = false }
            switch (kind, newValue) {
            case (.toggle(let widget), .toggle(let isOn)): widget.isActive = isOn
            case (.choice(let row), .choice(let index)): row.chosen = index
            case (.several(let buttons, _), .several(let chosen)):
                for (index, button) in buttons.enumerated() { button.isActive = chosen.contains(index) }
            case (.number(let widget), .number(let number)): widget.value = Double(number)
            // A text that is being typed stays as it is.
            case (.text(let field), .text(let text)), (.typed(let field), .typed(let text)),
                (.secret(let field), .secret(let text)):
                if newValue != shown { field.text = text }
            default: break
            }
            shown = newValue
        }
    }

    private func connect(entered: @escaping () -> Void) {
        // Widgets may report while they are destroyed.
        let reportNow = { [weak self] () -> Void in self?.report() }
        // GTK's switches and lists are in the middle of a change then, and do not bear another one.
        let reportLater = { [weak self] in
            guard let self, !isSetting, !isReportDue else { return }
            isReportDue = true
            Later.whenIdle { [weak self] in self?.reportIfDue() }
        }
        switch kind {
        case .none, .press: break
        case .typed(let field), .secret(let field):
            field.onTyping(reportNow)
            field.onEnter(entered)
        case .toggle(let widget): widget.onChange(of: "active", reportLater)
        case .choice(let row): row.onChoice(reportLater)
        case .several(let buttons, _): for button in buttons { button.on("toggled", reportLater) }
        case .number(let widget): widget.on("value-changed", reportLater)
        case .text(let field): field.onApply(label: translated("Apply"), reportNow)
        }
    }

    /// Reports a change of the user that was not reported yet.
    func reportIfDue() { if isReportDue { report() } }

    /// Applies a text that was typed.
    func applyText() { if case .text(let field) = kind { field.applyText() } }

    private func report() {
        isReportDue = false
        guard !isSetting, let value, value != shown else { return }
        shown = value
        changed(value)
    }
}
