package import DBus

/// The names of the agent's errors.
package enum AgentErrors {
    /// There is no such notification.
    package static let notFound: ErrorName = "org.feedbell.Error.NotFound"
    /// The service does not let users change this.
    package static let notEditable: ErrorName = "org.feedbell.Error.NotEditable"
    /// The service does not support this.
    package static let notSupported: ErrorName = "org.feedbell.Error.NotSupported"
    /// The service rejects the credentials.
    package static let unauthorized: ErrorName = "org.feedbell.Error.Unauthorized"
    /// The account has no token yet.
    package static let notSignedIn: ErrorName = "org.feedbell.Error.NotSignedIn"
    /// The user has removed the account's token.
    package static let signedOut: ErrorName = "org.feedbell.Error.SignedOut"
    /// The sign-in with the browser has ended.
    package static let signInEnded: ErrorName = "org.feedbell.Error.SignInEnded"
    /// The call needs the service, which is unreachable.
    package static let offline: ErrorName = "org.feedbell.Error.Offline"
    /// Nothing was opened; the notification is marked as interacted.
    package static let notOpened: ErrorName = "org.feedbell.Error.NotOpened"
    /// The service rejected the request.
    package static let rejected: ErrorName = "org.feedbell.Error.Rejected"
}
