import Inbox
import SuprSend

/// SuprSend's preferences in the words of the domain.
struct SuprSendPreferences: PreferencesProvider {
    private let preferences: Preferences
    private let changes: AsyncStream<Void>
    private let changed: AsyncStream<Void>.Continuation

    init(_ preferences: Preferences) {
        self.preferences = preferences
        (changes, changed) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    func run(_ emit: @escaping @Sendable (Inbox.PreferencesEvent) async -> Void) async {
        let events = await preferences.events()
        await withDiscardingTaskGroup { group in
            group.addTask { for await _ in changes { await emit(.updated) } }
            for await event in events {
                if case .preferencesError(let error, let target) = event {
                    await emit(.failed(target: target.name, ProviderFailure(error)))
                }
                changed.yield()
            }
            group.cancelAll()
        }
    }

    func contents() async throws(ProviderFailure) -> PreferencesContents { PreferencesContents(try await data()) }

    var pending: Int { get async { await preferences.pending } }

    func refresh() async throws(ProviderFailure) {
        try await ask { () async throws(SuprSendError) in try await preferences.getPreferences() }
        changed.yield()
    }

    func set(_ change: PreferenceChange) async throws(ProviderFailure) {
        let data = try await data()
        try check(change, in: data)
        try await ask { () async throws(SuprSendError) in
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
        changed.yield()
    }

    func flush() async throws(ProviderFailure) {
        try await ask { () async throws(SuprSendError) in try await preferences.flush() }
    }

    /// What is known; loaded now if nothing is.
    private func data() async throws(ProviderFailure) -> PreferenceData {
        if let data = await preferences.data { return data }
        return try await ask { () async throws(SuprSendError) in try await preferences.getPreferences() }
    }

    @discardableResult
    private func ask<Answer: Sendable>(_ question: () async throws(SuprSendError) -> Answer)
        async throws(ProviderFailure)
        -> Answer
    {
        do { return try await question() } catch { throw ProviderFailure(error) }
    }

    /// The library would refuse the same, in the service's words; these say what to do.
    private func check(_ change: PreferenceChange, in data: PreferenceData) throws(ProviderFailure) {
        switch change {
        case .category(let id, _):
            if try category(id, in: data).isEditable { return }
            throw ProviderFailure(.notEditable, "The category \"\(id)\" cannot be switched: the sender requires it.")
        case .channel(let channel, let id, _):
            let channels = try category(id, in: data).channels
            guard let found = channels.first(where: { $0.channel == channel }) else {
                let names = channels.map(\.channel).joined(separator: ", ")
                throw ProviderFailure(.notFound, "The category \"\(id)\" has no channel \"\(channel)\", but: \(names).")
            }
            if found.isEditable { return }
            throw ProviderFailure(
                .notEditable,
                "The channel \"\(channel)\" of \"\(id)\" cannot be switched: the sender requires it."
            )
        case .overall(let channel, _):
            if data.channel(channel) != nil { return }
            throw ProviderFailure(.notFound, "There is no channel \"\(channel)\". ListChannels names them.")
        }
    }

    private func category(_ id: String, in data: PreferenceData) throws(ProviderFailure) -> PreferenceCategory {
        guard let category = data.category(id) else {
            throw ProviderFailure(.notFound, "There is no category \"\(id)\". List names them.")
        }
        return category
    }
}

extension PreferenceTarget {
    fileprivate var name: String {
        switch self {
        case .category(let name), .channel(let name): name
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
