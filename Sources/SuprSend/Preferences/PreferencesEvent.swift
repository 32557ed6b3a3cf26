/// What preferences tell their listeners.
public enum PreferencesEvent: Sendable, Equatable {
    /// The service confirmed a change. Everything as it is now: changes not yet confirmed are part of it.
    case preferencesUpdated(PreferenceData)
    /// The service refused a change, or could not be reached: the old value is back.
    case preferencesError(SuprSendError, target: PreferenceTarget)
}

/// What a change of preferences concerns.
public enum PreferenceTarget: Sendable, Hashable {
    /// The category with this slug, its channels and all else of it.
    case category(String)
    /// The channel with this name, over all categories.
    case channel(String)
}
