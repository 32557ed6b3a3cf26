import Basics
import Inbox
import SuprSend

/// SuprSend's preferences as the agent's preferences. The service does not report changes that another client made.
struct SuprSendPreferences: PreferencesService {
    private let calls: PreferenceCalls
    /// The language of names and descriptions; nil: the service's default.
    private let language: String?
    /// Which categories there are; nil: all.
    private let tags: PreferenceTags?

    init(_ calls: PreferenceCalls, language: String?, tags: PreferenceTags?) {
        self.calls = calls
        self.language = language
        self.tags = tags
    }

    func run(_ changed: @escaping @Sendable () async -> Void) async { await Completion().wait() }

    func load() async throws(ServiceFailure) -> PreferencesContents {
        do { return PreferencesContents(try await calls.load(locale: language, tags: tags)) } catch {
            throw ServiceFailure(error)
        }
    }

    func apply(_ changes: [PreferenceChange], to contents: PreferencesContents) async throws(ServiceFailure)
        -> PreferenceAnswer
    {
        switch changes.first?.target {
        case .category(let id)?: try await apply(changes, to: try contents.category(id))
        case .channel(let channel)?: try await apply(changes, toLevelOf: channel)
        case .topic, nil: .accepted
        }
    }

    private func apply(_ changes: [PreferenceChange], to category: PreferencesContents.Category)
        async throws(ServiceFailure) -> PreferenceAnswer
    {
        let answer: PreferenceConfirmation
        do {
            let edits = changes.compactMap { PreferenceEdit($0, of: category) }
            answer = try await calls.send(edits, of: PreferenceCategory(category), locale: language)
        } catch {
            throw ServiceFailure(changing: error)
        }
        // Members that the answer does not contain are as they were sent.
        let sent = PreferencesContents(categories: [category]).applying(changes, by: SuprSendInbox.rules).categories[0]
        guard let new = answer.category(updating: PreferenceCategory(sent)) else { return .accepted }
        var confirmed = PreferencesContents.Category(new)
        if !answer.hasDigestSchedule { confirmed.digest = sent.digest }
        if !answer.hasProperties { confirmed.properties = sent.properties }
        return .category(confirmed)
    }

    private func apply(_ changes: [PreferenceChange], toLevelOf channel: String) async throws(ServiceFailure)
        -> PreferenceAnswer
    {
        // The last change is the one that counts.
        guard case .overall(_, let onlyRequired)? = changes.last else { return .accepted }
        let answer: PreferenceConfirmation
        do { answer = try await calls.send(onlyRequired ? .required : .all, ofChannel: channel) } catch {
            throw ServiceFailure(changing: error)
        }
        guard let row = answer.channels?.first(where: { $0.channel == channel }) else { return .accepted }
        return .level(.init(channel: channel, isOnlyRequired: row.isRestricted))
    }
}
