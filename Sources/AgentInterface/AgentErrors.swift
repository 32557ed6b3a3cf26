package import DBus

/// The names of the agent's own errors (design.md §3).
package enum AgentErrors {
    /// There is no such notification.
    package static let notFound: ErrorName = "org.feedbell.Error.NotFound"
    /// The service does not let its people change this.
    package static let notEditable: ErrorName = "org.feedbell.Error.NotEditable"
    /// The service cannot do this.
    package static let notSupported: ErrorName = "org.feedbell.Error.NotSupported"
    /// The service refuses the credentials.
    package static let unauthorized: ErrorName = "org.feedbell.Error.Unauthorized"
    /// The service had to be asked and could not be.
    package static let offline: ErrorName = "org.feedbell.Error.Offline"
    /// The service refused.
    package static let rejected: ErrorName = "org.feedbell.Error.Rejected"
}
