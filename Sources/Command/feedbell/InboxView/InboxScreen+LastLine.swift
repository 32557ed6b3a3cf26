import AgentInterface
import VisibleText

/// The last line: what the user types, a notice, or what the keys do.
extension InboxScreen {
    enum Notice: Equatable {
        /// How notifications have left the inbox.
        enum Removal: Equatable { case archive, delete }

        case loading
        case refreshing
        /// A request has failed, in a sentence.
        case failed(String)
        /// Nothing can be requested, in a sentence.
        case unavailable(String)
        /// The last key means nothing here.
        case unknownKey
        /// The user pasted a text where none is typed.
        case ignoredPaste
        /// Notifications were archived or deleted, which can be taken back.
        case removed(Removal, count: Int)
        /// Several notifications were marked as read, or as unread.
        case marked(asRead: Bool, count: Int)
        /// Everything was marked as read; `isUndoable`: it can be taken back.
        case allRead(isUndoable: Bool)
        /// An action was taken back, in a sentence.
        case undone(String)
        /// The key to mark everything as read has to be pressed again.
        case confirmsReadAll
        /// No notification has a category.
        case noCategories
        /// Notifications are snoozed until this time, in words.
        case snoozed(until: String)
        /// A category or topic is muted until this time, in words; nil: without an end.
        case muted(String, until: String?)
        /// The mute of a notification was ended.
        case unmuted
        /// Nothing answers, so keys have no effect.
        case silentAgent

        var text: String {
            switch self {
            case .loading: translated("Loading …")
            case .refreshing: translated("Refreshing …")
            case .failed(let reason), .unavailable(let reason): reason
            case .unknownKey: translated("This key does nothing here. Press ? for help.")
            case .ignoredPaste: translated("Pasted text is ignored here: it would act as keys.")
            case .removed(.archive, let count):
                translated("{count} notification archived", plural: "{count} notifications archived", count: count)
            case .removed(.delete, let count):
                translated("{count} notification deleted", plural: "{count} notifications deleted", count: count)
            case .marked(asRead: true, let count):
                translated(
                    "{count} notification marked as read",
                    plural: "{count} notifications marked as read",
                    count: count
                )
            case .marked(asRead: false, let count):
                translated(
                    "{count} notification marked as unread",
                    plural: "{count} notifications marked as unread",
                    count: count
                )
            case .allRead: translated("All marked as read")
            case .undone(let text): text
            case .confirmsReadAll: translated("This cannot be taken back. Press the key again to mark all as read.")
            case .noCategories: translated("No notification has a category.")
            case .snoozed(let time): translated("Snoozed until {time}.", ["time": time])
            case .muted(let name, nil): translated("\"{name}\" is muted.", ["name": name])
            case .muted(let name, let time?):
                translated("\"{name}\" is muted until {time}.", ["name": name, "time": time])
            case .unmuted: translated("No longer muted.")
            case .silentAgent: translated("The agent does not answer. If this lasts, see: feedbell doctor")
            }
        }

        var isFailure: Bool { if case .failed = self { true } else { false } }

        /// Whether the end of a request replaces it.
        var isAnswered: Bool {
            switch self {
            case .removed, .marked, .allRead, .undone, .snoozed, .muted, .unmuted: false
            default: true
            }
        }

        /// Whether the notice is about an action that can be taken back.
        var isUndoable: Bool {
            switch self {
            case .removed, .snoozed: true
            case .allRead(let isUndoable): isUndoable
            default: false
            }
        }
    }

    /// The notice in the last line; nil: the line has the hints.
    var shownNotice: Notice? {
        guard isAgentSilent else { return notice }
        return switch mode {
        case .search, .until: notice
        case .list, .text, .help, .preferences: .silentAgent
        }
    }

    var lastLine: String {
        switch mode {
        case .help:
            let text =
                isHelpLong
                ? translated("↑ ↓ scroll, any other key returns.") : translated("Press a key to return.")
            return text.cut(toColumns: columns)
        case .search(let words):
            // Translators: What the user searches for follows.
            return (translated("Search:") + " " + words.onOneLine + "▏").lastPart(ofColumns: columns)
        case .until where shownNotice != nil && !hasDetailLine: break
        case .until(let time, let action):
            let question = action.question
            let until = UntilTime.parse(UntilTime.words(time), now: now)
            let meaning = until.map { "  = " + LocalTime($0).text(now: now) } ?? ""
            return (question + " " + time.onOneLine + "▏" + meaning).lastPart(ofColumns: columns)
        case .list, .text, .preferences: break
        }
        if let notice = shownNotice {
            let text = notice.text.onOneLine
            if notice.isUndoable, let hint = hint(.undo), (text + hint).columns + 2 <= columns {
                return text + "  " + hint
            }
            return text.cut(toColumns: columns)
        }
        return Self.fitting(hints, columns: columns)
    }

    // MARK: Hints

    private var hints: [String] {
        if case .text = mode {
            return [.open, .unread, .archive, .delete, .help].compactMap(hint)
                + [keys.name(.quit).map { "\($0) \(translated("back"))" }].compactMap(\.self)
        }
        if case .preferences = mode {
            // Translators: What the key Space does in the table of preferences.
            let others = preferenceAccounts.count > 1 ? hint(.nextAccount) : nil
            let back = keys.name(.back).map { "\($0) \(translated("back"))" }
            return ["← → ↑ ↓ " + translated("move"), others, "Space " + translated("switch on or off"), back]
                .compactMap(\.self)
        }
        if !marked.isEmpty { return [.read, .archive, .delete, .back, .help, .quit].compactMap(hint) }
        if query.isFiltered || query.view != .inbox {
            return [.show, .open, .search, .back, .help, .quit].compactMap(hint)
        }
        return [.show, .open, .read, .archive, .nextTab, .help, .quit].compactMap(hint)
    }

    /// Whether a function has an effect for the chosen accounts; before they are known, each has.
    func isOffered(_ function: InboxFunction) -> Bool {
        let chosen = shownAccounts
        guard !chosen.isEmpty else { return true }
        return switch function {
        case .nextTab, .previousTab: tabs.count > 1
        case .nextAccount: accounts.count > 1
        case .delete: chosen.contains { $0.has(.delete) }
        default: true
        }
    }

    /// Whether a hint names the function: it has an effect on the selected notification.
    private func isHinted(_ function: InboxFunction) -> Bool {
        guard function == .delete, !targets.isEmpty else { return isOffered(function) }
        return targets.contains { inbox.has(RowID($0), .delete) }
    }

    /// A key and its function in a word; nil: no key has it, or it has no effect.
    private func hint(_ function: InboxFunction) -> String? {
        guard isHinted(function), let key = keys.name(function) else { return nil }
        return "\(key) \(word(function))"
    }

    private func word(_ function: InboxFunction) -> String {
        switch function {
        // Translators: What a key does, in one or two words, as the next ones.
        case .show: translated("show")
        case .open: translated("open link")
        case .read: translated("mark as read")
        case .unread: translated("mark as unread")
        case .archive: translated("archive")
        case .delete: translated("delete")
        case .snooze: translated("snooze")
        case .undo: translated("undo")
        case .search: translated("search")
        case .nextTab: translated("next tab")
        case .nextAccount: translated("next account")
        case .back: marked.isEmpty ? translated("show all") : translated("remove marks")
        case .help: translated("help")
        case .quit: translated("quit")
        default: ""
        }
    }

    /// As many hints as fit, always with the last two.
    private static func fitting(_ hints: [String], columns: Int) -> String {
        var parts = hints
        while parts.count > 2, parts.joined(separator: "  ").columns > columns { parts.remove(at: parts.count - 3) }
        return parts.joined(separator: "  ").cut(toColumns: columns)
    }
}

extension String {
    /// The end of the line, at most this wide.
    fileprivate func lastPart(ofColumns columns: Int) -> String {
        var part = String(suffix(columns))
        while part.columns > columns { part.removeFirst() }
        return part
    }
}
