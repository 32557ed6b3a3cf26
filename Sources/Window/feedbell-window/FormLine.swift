import GTK
import Window

/// The widgets of one row of a form: its control, the rows that are folded below it, and its problem.
final class FormLine {
    private let control: FormControl
    /// nil: no row is below it.
    private let expander: ExpanderRow?
    /// nil: its value cannot be wrong.
    private let problem: ActionRow?

    /// - Parameters:
    ///   - entered: Enter was pressed in a text.
    ///   - unfolded: The rows below it are shown.
    ///   - changed: The user has changed the value.
    init<ID>(
        _ row: FormRow<ID>,
        entered: @escaping () -> Void,
        unfolded: @escaping () -> Void,
        changed: @escaping (FormValue) -> Void
    ) {
        control = FormControl(row, entered: entered, changed: changed)
        expander = row.isFoldable ? ExpanderRow() : nil
        problem = row.canBeWrong ? ActionRow() : nil
        problem?.set(style: "error", true)
        if let mark = row.mark { (control.row as? ActionRow)?.add(prefix: mark.icon, style: mark.style) }
        guard let expander else { return }
        if let widget = control.widget { expander.add(control: widget) }
        // Widgets may report while they are destroyed.
        expander.onChange(of: "expanded") { [weak expander] in if expander?.isUnfolded == true { unfolded() } }
    }

    /// All of them, in their order.
    var widgets: [Widget] {
        let rows: [Widget?] = [expander ?? control.row, problem]
        return rows.compactMap(\.self)
    }

    func add(_ row: Widget) { expander?.add(row) }

    func show<ID>(_ row: FormRow<ID>) {
        control.show(row.value, isEditable: row.isEditable)
        if let expander {
            expander.setTitle(row.title)
            expander.setSubtitle(row.text)
            expander.setSpoken(row.spokenTitle, row.spokenText)
        } else {
            control.showRow(row)
        }
        control.name(row.spokenTitle, choices: row.choices)
        problem?.setTitle(row.problem)
        problem?.isVisible = !row.problem.isEmpty
    }

    /// Reports a change of the user that was not reported yet.
    func reportIfDue() { control.reportIfDue() }

    /// Applies a text that was typed.
    func applyText() { control.applyText() }

    // MARK: State of the widgets

    /// Whether the rows below it are shown.
    var isUnfolded: Bool {
        get { expander?.isUnfolded ?? false }
        set { expander?.isUnfolded = newValue }
    }

    var hasFocus: Bool { (expander ?? control.row).isFocused }

    func takeFocus() { (expander ?? control.row).takeFocus() }
}

extension FormMark {
    fileprivate var icon: String {
        switch self {
        case .good, .done: "object-select-symbolic"
        case .busy: "content-loading-symbolic"
        case .warning: "dialog-warning-symbolic"
        case .problem: "dialog-error-symbolic"
        }
    }

    /// The style class.
    fileprivate var style: String {
        switch self {
        case .good, .done: "success"
        case .busy: "dim-label"
        case .warning: "warning"
        case .problem: "error"
        }
    }
}

extension FormRow {
    fileprivate var canBeWrong: Bool {
        switch value {
        case .typed, .secret, .toggle: !isFoldable
        default: false
        }
    }
}
