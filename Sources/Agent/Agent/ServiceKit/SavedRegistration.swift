/// A service's registration for an inbox, which the next runs need again, such as the token of a socket. It may contain
/// secrets.
package struct SavedRegistration: Sendable {
    /// nil: nothing is kept.
    package let load: @Sendable () async -> [String]?
    /// nil: nothing is registered.
    package let save: @Sendable ([String]?) async -> Void

    /// By default, nothing is kept.
    package init(
        load: @escaping @Sendable () async -> [String]? = { nil },
        save: @escaping @Sendable ([String]?) async -> Void = { _ in }
    ) {
        self.load = load
        self.save = save
    }
}
