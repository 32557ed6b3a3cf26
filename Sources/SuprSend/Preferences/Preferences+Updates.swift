/// Changes, which are sent while ``SuprSendClient/run()`` runs, or by ``Preferences/flush()``. Each checks first whether it may be made, and throws why not, in the order of the service's own clients:
/// `invalidArgument` for a value that cannot be used and for what must not be changed, `invalidState` before
/// ``getPreferences(args:)``, `notFound` for what the preferences do not have.
extension Preferences {
    /// Says whether a category is wanted (suprsend.md §5.2). Its channels stay as they are until the service answers.
    ///
    /// - Parameters:
    ///   - category: Its slug.
    ///   - preference: ``PreferenceOption/optIn`` or ``PreferenceOption/optOut``.
    ///   - args: The tenant, which must have been loaded, and the request's query; what is nil is as in the last load.
    /// - Returns: Everything as it is shown now.
    @discardableResult
    public func updateCategoryPreference(
        category: String,
        preference: PreferenceOption,
        args: PreferenceArgs = PreferenceArgs()
    ) async throws(SuprSendError) -> PreferenceData {
        try await update(.category(category, preference), args)
    }

    /// Says whether a category is wanted by one of its channels (suprsend.md §5.3). Opting in opts in to the category, too.
    ///
    /// - Parameters:
    ///   - channel: The channel's name.
    ///   - preference: ``PreferenceOption/optIn`` or ``PreferenceOption/optOut``.
    ///   - category: The category's slug. It need not be editable itself.
    ///   - args: The tenant, which must have been loaded, and the request's query; what is nil is as in the last load.
    /// - Returns: Everything as it is shown now.
    @discardableResult
    public func updateChannelPreferenceInCategory(
        channel: String,
        preference: PreferenceOption,
        category: String,
        args: PreferenceArgs = PreferenceArgs()
    ) async throws(SuprSendError) -> PreferenceData {
        try await update(.channel(channel, preference, category: category), args)
    }

    /// Says how much a channel is used over all categories (suprsend.md §5.4). What that means for categories comes with the answer.
    ///
    /// - Parameters:
    ///   - channel: The channel's name.
    ///   - preference: For everything, or only where it is mandatory.
    ///   - tenantID: The tenant, which must have been loaded; nil or empty: the one loaded last.
    /// - Returns: Everything as it is shown now.
    @discardableResult
    public func updateOverallChannelPreference(
        channel: String,
        preference: ChannelLevel,
        tenantID: String? = nil
    ) async throws(SuprSendError) -> PreferenceData {
        try await update(.level(channel, preference), PreferenceArgs(tenantID: tenantID))
    }

    /// Chooses when a category's notifications are collected and sent as one (suprsend.md §2.5). It is due at once.
    ///
    /// - Parameters:
    ///   - category: The category's slug.
    ///   - digestSchedule: The schedule's id and the parts to change.
    ///   - args: The tenant, which must have been loaded, and the request's query; what is nil is as in the last load.
    /// - Returns: Everything as it is shown now.
    @discardableResult
    public func updateDigestScheduleInCategory(
        category: String,
        digestSchedule: DigestSchedule.Update,
        args: PreferenceArgs = PreferenceArgs()
    ) async throws(SuprSendError) -> PreferenceData {
        try await update(.digest(digestSchedule, category: category), args)
    }

    /// Sets properties of a category (suprsend.md §2.5). It is due at once.
    ///
    /// - Parameters:
    ///   - category: The category's slug.
    ///   - properties: The new values, by key; at least one.
    ///   - args: The tenant, which must have been loaded, and the request's query; what is nil is as in the last load.
    /// - Returns: Everything as it is shown now.
    @discardableResult
    public func updatePropertiesInCategory(
        category: String,
        properties: [CategoryProperty.Update],
        args: PreferenceArgs = PreferenceArgs()
    ) async throws(SuprSendError) -> PreferenceData {
        try await update(.properties(properties, category: category), args)
    }
}
