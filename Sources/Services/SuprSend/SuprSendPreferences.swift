import Basics
import Inbox
import SuprSend

/// SuprSend's preferences as the agent's preferences.
struct SuprSendPreferences: PreferencesProvider {
    private let preferences: Preferences
    private let changes = Mailbox<Void>(.bufferingNewest(1))

    init(_ preferences: Preferences) { self.preferences = preferences }

    func run(_ changed: @escaping @Sendable () async -> Void) async {
        let events = await preferences.events()
        await withDiscardingTaskGroup { group in
            group.addTask { for await _ in changes.messages { await changed() } }
            for await event in events {
                // ``apply(_:)`` throws failures.
                if case .preferencesUpdated = event { changes.send() }
            }
            group.cancelAll()
        }
    }

    func contents() async throws(ProviderFailure) -> PreferencesContents {
        if let data = await preferences.data { return PreferencesContents(data) }
        return PreferencesContents(try await load())
    }

    func refresh() async throws(ProviderFailure) {
        _ = try await load()
        changes.send()
    }

    /// The library sends all changes of a target as one request.
    func apply(_ changes: [PreferenceChange]) async throws(ProviderFailure) {
        guard let target = changes.first?.target else { return }
        var failure: ProviderFailure?
        for change in changes {
            do throws(SuprSendError) { try await update(change) } catch {
                failure = failure ?? ProviderFailure(changing: error)
            }
        }
        do { try await preferences.flush(PreferenceTarget(target)) } catch {
            throw ProviderFailure(changing: error)
        }
        if let failure { throw failure }
    }

    private func update(_ change: PreferenceChange) async throws(SuprSendError) {
        switch change {
        case .category(let category, let isOn):
            try await preferences.updateCategoryPreference(category: category, preference: isOn ? .optIn : .optOut)
        case .channel(let channel, let category, let isOn):
            try await preferences.updateChannelPreferenceInCategory(
                channel: channel,
                preference: isOn ? .optIn : .optOut,
                category: category
            )
        case .overall(let channel, let onlyRequired):
            try await preferences.updateOverallChannelPreference(
                channel: channel,
                preference: onlyRequired ? .required : .all
            )
        }
    }

    private func load() async throws(ProviderFailure) -> PreferenceData {
        do { return try await preferences.getPreferences() } catch { throw ProviderFailure(error) }
    }
}

extension PreferenceTarget {
    fileprivate init(_ target: PreferenceChange.Target) {
        switch target {
        case .category(let name): self = .category(name)
        case .channel(let name): self = .channel(name)
        }
    }
}

extension PreferencesContents {
    fileprivate init(_ data: PreferenceData) {
        self.init(
            categories: (data.sections ?? []).flatMap { section in
                section.categories.map { Category($0, in: section) }
            },
            levels: (data.channelPreferences ?? []).map { .init(channel: $0.channel, isOnlyRequired: $0.isRestricted) }
        )
    }
}

extension PreferencesContents.Category {
    fileprivate init(_ category: PreferenceCategory, in section: PreferenceSection) {
        self.init(
            section: section.name ?? "",
            sectionDescription: section.description ?? "",
            id: category.slug,
            name: category.name,
            description: category.description ?? "",
            isOn: category.preference == .optIn,
            isEditable: category.isEditable,
            channels: category.channels.map {
                .init(name: $0.channel, isOn: $0.preference == .optIn, isEditable: $0.isEditable)
            }
        )
    }
}
