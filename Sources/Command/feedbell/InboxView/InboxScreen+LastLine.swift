import Translation
import VisibleText

/// The last line: a question, a notice, or what the keys do.
extension InboxScreen {
    /// A question that is answered with a key.
    enum Question: Equatable {
        case delete(id: String)
        case markAllRead

        var letters: AnswerLetters {
            switch self {
            // Translators: Translate the letters, too: the first one is the key for yes.
            case .delete: AnswerLetters(translated("Delete this notification? [y/N]"))
            // Translators: Translate the letters, too: the first one is the key for yes.
            case .markAllRead: AnswerLetters(translated("Mark all notifications as read? [y/N]"))
            }
        }
    }

    enum Notice: Equatable {
        case loading
        case refreshing
        /// A request has failed, in a sentence.
        case failed(String)
        /// Nothing can be loaded, in a sentence.
        case unavailable(String)
        /// The last key means nothing here.
        case unknownKey

        var text: String {
            switch self {
            case .loading: translated("Loading …")
            case .refreshing: translated("Refreshing …")
            case .failed(let reason), .unavailable(let reason): reason
            case .unknownKey: translated("This key does nothing here. Press ? for help.")
            }
        }

        /// Whether its cause is gone, now that contents were loaded.
        ///
        /// - Parameter wasOnline: Whether the accounts were online before.
        func isOver(isOnline: Bool, wasOnline: Bool) -> Bool {
            switch self {
            case .loading, .unavailable: true
            case .failed: !wasOnline && isOnline
            case .refreshing, .unknownKey: false
            }
        }
    }

    var lastLine: String {
        switch mode {
        case .question(let question): return question.letters.text.cut(toColumns: columns)
        case .help: return translated("Press a key to return.").cut(toColumns: columns)
        case .search(let words):
            // Translators: What the user searches for follows.
            return (translated("Search:") + " " + words.onOneLine + "▏").lastPart(ofColumns: columns)
        case .snooze(let time, _):
            // Translators: A time such as "2h" or "tomorrow" follows, which the user types. Do not translate the times.
            let question = translated("Pop up again in (30m, 2h, tomorrow, monday, until 14:30):")
            return (question + " " + time.onOneLine + "▏").lastPart(ofColumns: columns)
        case .list, .text: break
        }
        if let notice { return notice.text.onOneLine.cut(toColumns: columns) }
        let hints =
            if mode == .list, !place.search.isEmpty {
                // Translators: The keys and their functions, separated by two spaces. Do not translate the keys.
                translated("Enter show  o open link  / search  Escape show all  ? help  q quit")
            } else if mode == .list {
                // Translators: The keys and their functions, separated by two spaces. Do not translate the keys.
                translated("Enter show  o open link  r mark as read  a archive  Tab next tab  ? help  q quit")
            } else {
                // Translators: The keys and their functions, separated by two spaces. Do not translate the keys.
                translated("o open link  u mark as unread  a archive  d delete  ? help  q back")
            }
        return Self.fitting(hints, columns: columns)
    }

    /// As many hints as fit, always with the last two.
    private static func fitting(_ hints: String, columns: Int) -> String {
        var parts: [String] = hints.split(separator: "  ").map(String.init)
        while parts.count > 2, parts.joined(separator: "  ").columns > columns { parts.remove(at: parts.count - 3) }
        return parts.joined(separator: "  ").cut(toColumns: columns)
    }
}

extension String {
    /// The end of the line, at most this wide.
    fileprivate func lastPart(ofColumns columns: Int) -> String {
        var part = self
        while part.columns > columns { part.removeFirst() }
        return part
    }
}
