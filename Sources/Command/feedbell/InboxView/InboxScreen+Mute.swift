import AgentInterface
import VisibleText

/// An action that has an end, which the user types.
enum TimedAction: Equatable {
    case snooze([RowID])
    /// The end of the mute is not used.
    case mute(Mute)

    /// Whether the action may have no end.
    var mayLast: Bool { if case .mute = self { true } else { false } }

    var question: String {
        switch self {
        case .snooze:
            // Translators: A time such as "2h" or "tomorrow" follows, which the user types. Do not translate the times.
            translated("Pop up again in (30m, 2h, tomorrow, monday, until 14:30):")
        case .mute(let mute):
            // Translators: As before. The name is that of a category.
            translated(
                "Mute \"{name}\" (2h, tomorrow, until 18:00; empty: without an end):",
                ["name": mute.shownName]
            )
        }
    }
}

extension Mute {
    fileprivate var shownName: String { value.onOneLine.cut(toColumns: 30) }
}

extension InboxScreen {
    /// Asks until when the category of the selected notification is muted, or its topic; ends the mute of a muted one.
    mutating func mute() -> [Effect] {
        guard let selection else { return [] }
        let row = RowID(selection)
        if selection.isMuted {
            notice = .unmuted
            return [.send(.unmute(row), account: row.account)]
        }
        guard let subject = MuteSubject.allCases.first(where: { !$0.value(of: selection).isEmpty }) else {
            notice = .failed(translated("It has neither a category nor a topic."))
            return []
        }
        let value = subject.value(of: selection)
        mode = .until("1h", .mute(Mute(account: row.account, subject: subject, value: value, until: 0)))
        return []
    }

    /// - Parameter until: Milliseconds since the Unix epoch; nil: without an end.
    mutating func send(_ mute: Mute, until: Int64?) -> [Effect] {
        var mute = mute
        mute.until = until ?? 0
        notice = .muted(mute.shownName, until: until.map { LocalTime($0).text(now: now) })
        return [.send(.mute(mute), account: mute.account)]
    }
}
