import AgentInterface
import GTK
import VisibleText
import Window

/// The dialog that asks when notifications pop up again: times that are offered, a calendar, and words.
final class SnoozeView {
    private var choice = TimeChoice(now: LocalTime.now)
    private let formWindow = FormWindow(
        title: translated("Snooze Until"),
        cancel: translated("Cancel"),
        submit: translated("Snooze"),
        height: 660
    )
    private let calendar = Calendar(buttons: [
        translated("Previous Month"), translated("Next Month"), translated("Previous Year"), translated("Next Year"),
    ])
    private let (field, meaning) = (FieldRow(), ActionRow())
    /// How many sentences were shown.
    private var shown = 0
    /// Gets milliseconds since the Unix epoch.
    private let chosen: (Int64) -> Void

    init(over parent: GTK.Window, chosen: @escaping (Int64) -> Void) {
        self.chosen = chosen
        let page = RowPage(title: "", icon: "")
        let (offers, days, words) = (RowGroup(), RowGroup(), RowGroup())
        for offer in TimeChoice.offers(now: LocalTime.now) { offers.add(row(offer)) }
        calendar.set(style: "card", true)
        calendar.setAccessibleLabel(translated("Day"))
        days.add(calendar)
        field.setTitle(translated("Time"), spoken: translated("Time"))
        field.text = choice.text
        words.add(field.row)
        words.add(meaning)
        for group in [offers, days, words] { page.add(group) }
        formWindow.show(page)
        formWindow.window.setParent(parent, isModal: true)
        calendar.onDay { [unowned self] in
            let day = calendar.day
            choice.pick(TimeChoice.Day(year: day.year, month: day.month, day: day.day), now: LocalTime.now)
            render()
        }
        field.onTyping { [unowned self] in
            if field.text == choice.text { return }
            choice.type(field.text, now: LocalTime.now)
            render(isLater: true)
        }
        field.onEnter { [unowned self] in submit() }
        formWindow.onSubmit { [unowned self] in submit() }
        render(isLater: true)
    }

    func present() {
        formWindow.window.present()
        field.takeFocus()
    }

    private func row(_ offer: TimeChoice.Offer) -> ActionRow {
        let (row, clock) = (ActionRow(), Label())
        clock.text = offer.clock
        row.setTitle(offer.title)
        row.setSpoken(translatedList([offer.title, offer.clock]), "")
        row.add(suffix: clock)
        row.onPress(opens: false) { [unowned self] in end(with: offer.time) }
        return row
    }

    private func submit() {
        if let time = choice.time(now: LocalTime.now) { return end(with: time) }
        show(choice.problem(now: LocalTime.now) ?? "", isLater: false)
    }

    private func end(with time: Int64) {
        chosen(time)
        formWindow.window.close()
    }

    private func render(isLater: Bool = false) {
        let now = LocalTime.now
        if field.text != choice.text { field.text = choice.text }
        let day = choice.day(now: now)
        calendar.day = (day.year, day.month, day.day)
        show(choice.meaning(now: now), isLater: isLater)
        formWindow.set(canSubmit: choice.time(now: now) != nil, message: "", isBusy: false)
    }

    /// Shows a sentence below the text, which a screen reader says.
    ///
    /// - Parameter isLater: Whether it says only the last of several: after the letters that are typed, and once the
    ///   field has the focus, of which it would say the sentence twice.
    private func show(_ sentence: String, isLater: Bool) {
        meaning.setTitle(sentence)
        meaning.setSpoken(sentence, "")
        shown += 1
        let describe = { [weak self, shown] in
            guard let self, shown == self.shown else { return }
            field.describe(sentence, isInvalid: choice.problem(now: LocalTime.now) != nil)
        }
        if isLater { Later.after(milliseconds: 600, describe) } else { describe() }
    }
}
