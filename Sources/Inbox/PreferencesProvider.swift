/// The user's notification preferences at a service.
package protocol PreferencesProvider: Sendable {
    /// Follows the preferences until the task is cancelled. Calls `changed` when the result of ``contents()`` has
    /// changed.
    func run(_ changed: @escaping @Sendable () async -> Void) async

    /// The preferences; loads them if they are not loaded. Changes in flight may be included or not.
    func contents() async throws(ProviderFailure) -> PreferencesContents

    /// Reloads everything.
    func refresh() async throws(ProviderFailure)

    /// Sends changes of one target in one request. Returns when the service has confirmed them and ``contents()``
    /// includes them.
    func apply(_ changes: [PreferenceChange]) async throws(ProviderFailure)
}
