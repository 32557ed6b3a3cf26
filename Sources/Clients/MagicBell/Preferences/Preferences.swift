/// A user's notification preferences: which notifications the user receives on which channels.
///
/// A channel is on unless the user switched it off, and one that is absent is not offered. Preferences do not filter
/// stores. No event reports changes that another client made: fetch again where they matter.
public final class Preferences: Sendable {
    private let requests: UserRequests

    init(api: any InboxAPI, scope: CallScope) { requests = UserRequests(api: api, scope: scope) }

    /// Loads all preferences.
    public func fetch() async throws(MagicBellError) -> NotificationPreferences {
        try await requests.send { (api) throws(MagicBellError) in try await api.preferences() }
    }

    /// Loads the preferences of one category.
    ///
    /// - Throws: `notFound` when there is no category with that slug.
    public func fetchPreferences(
        for category: String
    ) async throws(MagicBellError) -> NotificationPreferences.Category {
        try await fetch().required(category)
    }

    /// Changes the channels that `changes` contains and nothing else, with one request, after earlier changes. Build
    /// `changes` from the channels that the user changed: sending back all of them would also store the defaults as
    /// choices.
    ///
    /// - Returns: All preferences afterwards.
    /// - Throws: `invalidArgument` when `changes` contains no channel.
    @discardableResult
    public func update(
        _ changes: NotificationPreferences
    ) async throws(MagicBellError) -> NotificationPreferences {
        guard changes.categories.contains(where: { !$0.channels.isEmpty }) else {
            throw MagicBellError(.invalidArgument, "The preferences contain no channel; add the changed ones.")
        }
        return try await requests.change { (api) throws(MagicBellError) in
            if let all = try await api.updatePreferences(changes) { return all }
            return try await api.preferences()
        }
    }

    /// Changes the channels of `category` that it contains, as ``update(_:)`` does.
    ///
    /// - Returns: The preferences of that category afterwards.
    /// - Throws: `notFound` when the service has no category with that slug.
    @discardableResult
    public func updatePreferences(
        _ channels: [NotificationPreferences.Channel],
        for category: String
    ) async throws(MagicBellError) -> NotificationPreferences.Category {
        let changes = NotificationPreferences.Category(slug: category, channels: channels)
        return try await update(NotificationPreferences(categories: [changes])).required(category)
    }

    /// Switches one channel of a category on or off, as ``update(_:)`` does.
    ///
    /// - Returns: All preferences afterwards.
    @discardableResult
    public func update(
        categorySlug: String,
        channelSlug: String,
        enabled: Bool
    ) async throws(MagicBellError) -> NotificationPreferences {
        let channel = NotificationPreferences.Channel(slug: channelSlug, isEnabled: enabled)
        let category = NotificationPreferences.Category(slug: categorySlug, channels: [channel])
        return try await update(NotificationPreferences(categories: [category]))
    }
}

extension NotificationPreferences {
    fileprivate func required(_ slug: String) throws(MagicBellError) -> Category {
        guard let category = self[slug] else {
            throw MagicBellError(
                .notFound,
                "The preferences have no category \"\(slug)\"; fetch them for the categories that exist."
            )
        }
        return category
    }
}
