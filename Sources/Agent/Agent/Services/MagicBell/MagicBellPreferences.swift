import Basics
import Inbox
import MagicBell

/// MagicBell's preferences as the agent's: channels of categories. A category has no switch, so it counts as on while
/// one of its channels is; nor has a channel as a whole. The service reports no changes that are made elsewhere.
struct MagicBellPreferences: PreferencesService {
    private let api: any InboxAPI

    init(_ api: any InboxAPI) { self.api = api }

    func run(_ changed: @escaping @Sendable () async -> Void) async { await Completion().wait() }

    func load() async throws(ServiceFailure) -> PreferencesContents {
        do { return PreferencesContents(try await api.preferences()) } catch { throw ServiceFailure(error) }
    }

    func apply(_ changes: [PreferenceChange], to contents: PreferencesContents) async throws(ServiceFailure)
        -> PreferenceAnswer
    {
        if case .topic(let topic, let isSubscribed)? = changes.last {
            do {
                _ =
                    isSubscribed
                    ? try await api.subscribe(to: topic, categories: [TopicSubscription.Category.all], reason: nil)
                    : try await api.unsubscribe(from: topic, categories: [TopicSubscription.Category.all])
            } catch { throw ServiceFailure(changing: error) }
            return .accepted
        }
        // Of two changes of a channel the last one counts. The request contains only what the user changed.
        var channels: [String: Bool] = [:]
        var category = ""
        for case .channel(let channel, let id, let isOn) in changes {
            category = id
            channels[channel] = isOn
        }
        guard !channels.isEmpty else { return .accepted }
        let update = NotificationPreferences(categories: [
            .init(slug: category, channels: channels.map { .init(slug: $0.key, isEnabled: $0.value) })
        ])
        let answer: NotificationPreferences?
        do { answer = try await api.updatePreferences(update) } catch { throw ServiceFailure(changing: error) }
        guard let row = answer?.categories.first(where: { $0.slug == category }) else { return .accepted }
        var confirmed = PreferencesContents.Category(row)
        // An answer may omit labels, and channels that were not changed.
        let known = try contents.category(category)
        if row.label == row.slug { confirmed.name = known.name }
        let listed = Set(confirmed.channels.map(\.name))
        confirmed.channels += known.channels.filter { !listed.contains($0.name) }
        confirmed.channels.sort { $0.name < $1.name }
        confirmed.isOn = confirmed.channels.contains(where: \.isOn)
        return .category(confirmed)
    }
}

extension PreferencesContents {
    fileprivate init(_ preferences: NotificationPreferences) {
        self.init(categories: preferences.categories.map { Category($0) })
    }
}

extension PreferencesContents.Category {
    fileprivate init(_ category: NotificationPreferences.Category) {
        self.init(
            id: category.slug,
            name: category.label,
            isOn: category.channels.contains(where: \.isEnabled),
            // A category has no switch.
            isEditable: false,
            channels: category.channels.map { .init(name: $0.slug, isOn: $0.isEnabled, isEditable: true) }
        )
    }
}
