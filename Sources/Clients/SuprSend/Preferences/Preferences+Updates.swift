/// Changes, which are sent while ``SuprSendClient/run()`` runs, or by ``Preferences/flush()``. Each method first checks
/// whether the change is allowed, and throws in the order of the service's own SDKs: `invalidArgument` for an invalid
/// value or a change that is not allowed, `invalidState` before ``getPreferences(args:)``, `notFound` for an unknown
/// category or channel.
extension Preferences {
    /// Sets whether the user wants a category. Its channels keep their values until the service answers.
    ///
    /// - Parameters:
    ///   - category: Its slug.
    ///   - preference: ``PreferenceOption/optIn`` or ``PreferenceOption/optOut``.
    ///   - args: The tenant, which must be loaded, and the request's parameters; nil: as in the last load.
    /// - Returns: The preferences with the change.
    @discardableResult
    public func updateCategoryPreference(
        category: String,
        preference: PreferenceOption,
        args: PreferenceArgs = PreferenceArgs()
    ) async throws(SuprSendError) -> PreferenceData {
        try await update(.category(category, preference), args)
    }

    /// Sets whether the user wants a category by one of its channels. Opting in also opts in to the category.
    ///
    /// - Parameters:
    ///   - channel: The channel's name.
    ///   - preference: ``PreferenceOption/optIn`` or ``PreferenceOption/optOut``.
    ///   - category: The category's slug. It need not be editable itself.
    ///   - args: The tenant, which must be loaded, and the request's parameters; nil: as in the last load.
    /// - Returns: The preferences with the change.
    @discardableResult
    public func updateChannelPreferenceInCategory(
        channel: String,
        preference: PreferenceOption,
        category: String,
        args: PreferenceArgs = PreferenceArgs()
    ) async throws(SuprSendError) -> PreferenceData {
        try await update(.channel(channel, preference, category: category), args)
    }

    /// Sets the level of a channel across all categories. Its effect on categories comes with the response.
    ///
    /// - Parameters:
    ///   - channel: The channel's name.
    ///   - preference: All categories, or only those for which it is mandatory.
    ///   - tenantID: The tenant, which must be loaded; nil or empty: the last one loaded.
    /// - Returns: The preferences with the change.
    @discardableResult
    public func updateOverallChannelPreference(
        channel: String,
        preference: ChannelLevel,
        tenantID: String? = nil
    ) async throws(SuprSendError) -> PreferenceData {
        try await update(.level(channel, preference), PreferenceArgs(tenantID: tenantID))
    }

    /// Sets the digest schedule of a category. The change is sent without a delay.
    ///
    /// - Parameters:
    ///   - category: The category's slug.
    ///   - digestSchedule: The schedule's id and the parts to change.
    ///   - args: The tenant, which must be loaded, and the request's parameters; nil: as in the last load.
    /// - Returns: The preferences with the change.
    @discardableResult
    public func updateDigestScheduleInCategory(
        category: String,
        digestSchedule: DigestSchedule.Update,
        args: PreferenceArgs = PreferenceArgs()
    ) async throws(SuprSendError) -> PreferenceData {
        try await update(.digest(digestSchedule, category: category), args)
    }

    /// Sets properties of a category. The change is sent without a delay.
    ///
    /// - Parameters:
    ///   - category: The category's slug.
    ///   - properties: The new values, by key; at least one.
    ///   - args: The tenant, which must be loaded, and the request's parameters; nil: as in the last load.
    /// - Returns: The preferences with the change.
    @discardableResult
    public func updatePropertiesInCategory(
        category: String,
        properties: [CategoryProperty.Update],
        args: PreferenceArgs = PreferenceArgs()
    ) async throws(SuprSendError) -> PreferenceData {
        try await update(.properties(properties, category: category), args)
    }
}
