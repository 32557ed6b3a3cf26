import Testing

@testable import Window

/// What screen readers say of the rows of forms.
@Suite struct FormRowTests {
    private typealias Row = FormRow<Int>

    @Test("A row says its value before its text")
    func spokenText() {
        let choices = ["One", "Two", "Three"]
        let values: [(FormValue?, String)] = [
            (.toggle(true), "On"), (.toggle(false), "Off"), (.choice(1), "Two"), (.choice(nil), ""),
            (.several([0, 2]), "One, Three"), (.number(5), "5"), (.typed("secret"), ""), (.secret("secret"), ""),
            (nil, ""),
        ]
        for (value, spoken) in values {
            #expect(Row(1, title: "A", value: value, choices: choices).spokenText == spoken)
            let explained = Row(1, title: "A", text: "Why.", value: value, choices: choices)
            #expect(explained.spokenText == (spoken.isEmpty ? "Why." : spoken + "\nWhy."))
        }
    }

    @Test("A row says what its title belongs to") func spokenTitle() {
        #expect(Row(1, title: "inbox").spokenTitle == "inbox")
        #expect(Row(1, title: "inbox").within("Builds").spokenTitle == "inbox, Builds")
    }

    @Test("A step says whether it was done, or is being done") func steps() {
        let titles = [FormMark.done, .busy].map { Row(1, title: "Step", mark: $0).spokenTitle }
        #expect(titles == ["Done, Step", "Under way, Step"])
    }
}
