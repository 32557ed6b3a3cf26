/// The user's notification preferences at a service: plain requests, without pending changes.
package protocol PreferencesService: Sendable {
    /// Follows the preferences until the task is cancelled. Calls `changed` when the service reports that they were
    /// changed elsewhere; they are then loaded again.
    func run(_ changed: @escaping @Sendable () async -> Void) async

    /// Loads all preferences.
    func load() async throws(ServiceFailure) -> PreferencesContents

    /// Sends changes of one target in one request, in their order. Returns what the service answers.
    ///
    /// - Parameter contents: The preferences as the service last returned them.
    func apply(_ changes: [PreferenceChange], to contents: PreferencesContents) async throws(ServiceFailure)
        -> PreferenceAnswer
}

/// The service's answer to changes of one target.
package enum PreferenceAnswer: Hashable, Sendable {
    /// The category, as it now is.
    case category(PreferencesContents.Category)
    /// The level, as it now is. Categories may have changed with it.
    case level(PreferencesContents.Level)
    /// The changes were accepted, and the answer does not contain the result.
    case accepted

    /// Whether the preferences must be loaded to know the result.
    package var isPartial: Bool { if case .category = self { false } else { true } }
}
