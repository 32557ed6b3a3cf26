import VisibleText

/// A line of a form: a name, an explanation, and a control for its value.
///
/// A page decides what its forms show. What draws them knows nothing else of the page.
package struct FormRow<ID: Hashable & Sendable>: Equatable, Sendable {
    package var id: ID
    package var title: String
    /// What the title belongs to, such as the category of a channel, for those who hear the row alone; empty: nothing.
    package var context = ""
    /// Empty: the title says all.
    package var text: String
    /// nil: there is nothing to change.
    package var value: FormValue?
    /// The labels of what ``FormValue/choice(_:)`` and ``FormValue/several(_:)`` choose from.
    package var choices: [String]
    /// Whether the user can change the value.
    package var isEditable: Bool
    /// Why the value is wrong, in a sentence; empty: it is not.
    package var problem: String
    /// The mark before the title; nil: none.
    package var mark: FormMark?
    /// The lines that belong to this one. They can be folded.
    package var rows: [FormRow]
    /// Whether there are such lines, or will be when they are unfolded.
    package var isFoldable: Bool

    package init(
        _ id: ID,
        title: String,
        text: String = "",
        value: FormValue? = nil,
        choices: [String] = [],
        isEditable: Bool = true,
        problem: String = "",
        mark: FormMark? = nil,
        rows: [FormRow] = [],
        isFoldable: Bool = false
    ) {
        (self.id, self.title, self.text) = (id, title, text)
        (self.value, self.choices, self.isEditable) = (value, choices, isEditable)
        (self.problem, self.mark, self.rows) = (problem, mark, rows)
        self.isFoldable = isFoldable || !rows.isEmpty
    }
}

extension FormRow {
    /// The row of something that has a name.
    func within(_ context: String) -> FormRow {
        var row = self
        row.context = context
        return row
    }

    /// The title as a screen reader says it.
    package var spokenTitle: String {
        translatedList([mark?.spoken ?? "", title, context].filter { !$0.isEmpty })
    }

    /// What a screen reader says after the title: the value, and the text.
    package var spokenText: String { [spokenValue, text].filter { !$0.isEmpty }.joined(separator: "\n") }

    private var spokenValue: String {
        switch value {
        // Translators: The state of a switch, as a screen reader says it.
        case .toggle(let isOn): isOn ? translated("On") : translated("Off")
        case .choice(let index?) where choices.indices.contains(index): choices[index]
        case .several(let chosen): translatedList(choices.elements(at: chosen))
        case .number(let number): "\(number)"
        case nil, .choice, .text, .typed, .secret, .press, .open: ""
        }
    }
}

/// The result of a test that a row is about.
package enum FormMark: Hashable, Sendable {
    case good
    /// A step that was done.
    case done
    /// A step that is being done.
    case busy
    case warning
    case problem

    /// What a screen reader says of it; empty: the title says it.
    var spoken: String {
        switch self {
        case .good: ""
        // Translators: The state of a step, as a screen reader says it before the step.
        case .done: translated("Done")
        case .busy: translated("Under way")
        case .warning: translated("Warning")
        // Translators: Something does not work.
        case .problem: translated("Problem")
        }
    }
}

/// The value of a row, which decides its control.
package enum FormValue: Hashable, Sendable {
    case toggle(Bool)
    /// The index of the chosen one; nil: none of them.
    case choice(Int?)
    /// The indices of those that are on.
    case several(Set<Int>)
    case number(Int64)
    /// Reported when it is applied, not with each letter.
    case text(String)
    /// Reported with each letter.
    case typed(String)
    /// Reported with each letter, and not shown.
    case secret(String)
    /// The row is a button.
    case press
    /// The row is a button that leads to another window. A press is reported as ``press``.
    case open
}

extension [String] {
    /// The value of ``FormValue/several(_:)`` for those that are on.
    func indices(of chosen: [String]) -> Set<Int> { Set(indices.filter { chosen.contains(self[$0]) }) }
}

extension Array {
    /// The elements that ``FormValue/several(_:)`` names, in their order.
    func elements(at chosen: Set<Int>) -> [Element] { indices.filter(chosen.contains).map { self[$0] } }
}

/// Rows with a heading.
package struct FormGroup<ID: Hashable & Sendable>: Equatable, Sendable {
    /// Empty: the group has no heading.
    package var title: String
    package var text: String
    package var rows: [FormRow<ID>]

    package init(title: String = "", text: String = "", rows: [FormRow<ID>] = []) {
        (self.title, self.text, self.rows) = (title, text, rows)
    }
}
