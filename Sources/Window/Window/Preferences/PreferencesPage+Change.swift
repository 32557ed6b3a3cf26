import AgentInterface
import DBus

extension PreferencesPage {
    /// The change that gives a row this value; nil: the row cannot have it.
    func change(of row: PreferenceRow, to value: FormValue, in account: String) -> PreferenceRequest.Change? {
        switch (row, value) {
        case (.category(let id), .toggle(let isOn)): .category(id, isOn: isOn)
        case (.channel(let category, let channel), .toggle(let isOn)): .channel(category: category, channel, isOn: isOn)
        case (.level(let channel), .choice(let index?)):
            .level(channel: channel, PreferenceLevel(isOnlyRequired: index == 1))
        case (.digest(let category, let part), _):
            digest(part, value).map { .digest(category: category, $0) }
        case (.monthDay(let category, _), _), (.monthDayNames(let category, _), _):
            monthDayChange(row, value, in: account).map { .digest(category: category, $0) }
        case (.property(let category, let id), _):
            property(id, of: category, in: account).flatMap { $0.content(of: value) }
                .map { .property(category: category, id, $0) }
        default: nil
        }
    }

    private func digest(_ part: DigestPart, _ value: FormValue) -> DigestChangeRecord? {
        var change = DigestChangeRecord()
        switch (part, value) {
        case (.time, .text(let time)): change.time = time
        case (.start, .text(let start)): change.start = start
        // A digest without a day would never come.
        case (.weekdays, .several(let days)) where !days.isEmpty:
            change.weekdays = Weekday.codes.elements(at: days)
        default: return nil
        }
        return change
    }

    private func property(_ id: String, of category: String, in account: String) -> PropertyRecord? {
        contents[account]?.categories.first { $0.id == category }?.properties.lazy.map(PropertyRecord.init)
            .first { $0.id == id }
    }
}

extension PropertyRecord {
    /// The property's content for the value of its row; nil: it cannot have this value.
    fileprivate func content(of value: FormValue) -> Value? {
        let choices = self.choices.map { $0.elements.1 }
        switch value {
        case .choice(let index?) where choices.indices.contains(index): return choices[index]
        case .several(let chosen):
            let texts = choices.elements(at: chosen).compactMap(\.text)
            return texts.isEmpty && !self.isOptional ? nil : Value(texts)
        case .number(let number): return .int64(number)
        case .text(let text):
            if self.kind != "list" { return .string(text) }
            let words = text.split(separator: ",").map { $0.split(separator: " ").joined(separator: " ") }
                .filter { !$0.isEmpty }
            return words.isEmpty && !self.isOptional ? nil : Value(words)
        default: return nil
        }
    }
}

extension Value {
    /// nil: it is no text.
    var text: String? { if case .string(let text) = self { text } else { nil } }
}
