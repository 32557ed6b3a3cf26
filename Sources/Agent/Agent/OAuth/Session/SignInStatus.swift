package import Basics

/// What is known of an account's sign-in, without any secret.
package struct SignInStatus: Hashable, Sendable {
    /// When the user signed in; nil: unknown, or there is no sign-in.
    package var since: Timestamp?
    /// When it was last refreshed; nil: not yet by this program.
    package var refreshed: Timestamp?
    /// When it was last used, or tried: a sign-in, a refresh or a request to the backend.
    package var attempted: Timestamp?
    /// Why that failed; nil: it did not.
    package var failure: SignInSession.Failure?

    package init() {}
}
