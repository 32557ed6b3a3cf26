/// An event of ``Preferences``.
public enum PreferencesEvent: Sendable, Equatable {
    /// The service confirmed a change. The present preferences, with all unconfirmed changes.
    case preferencesUpdated(PreferenceData)
    /// The service refused a change, or was unreachable: the change is reverted.
    case preferencesError(SuprSendError, target: PreferenceTarget)
}

/// The target of a change of preferences.
public enum PreferenceTarget: Sendable, Hashable {
    /// The category with this slug, with its channels and settings.
    case category(String)
    /// The channel with this name, across all categories.
    case channel(String)
}
