import AgentInterface
import DBus
import VisibleText

/// Why a request failed, in a sentence for people. What the agent or the bus says of it is for programs, except of
/// links and of what a service has rejected.
package enum RequestFailure {
    /// - Parameter isSearch: Whether the request was a search.
    static func sentence(_ error: DBusError, ofSearch isSearch: Bool = false) -> String {
        switch (error.name, isSearch) {
        case (.serviceUnknown, _), (.nameHasNoOwner, _):
            translated("Feedbell is not running. Press Start in its window.")
        case (.invalidArgs, true):
            translated("A search needs a letter, a digit or a symbol such as an emoji.")
        case (.limitsExceeded, true): translated("The search takes too long. Search for longer words.")
        case (AgentErrors.notSupported, true):
            translated(
                "Nothing is kept that could be searched. Open Preferences, then Settings, to keep notifications."
            )
        case (.unknownInterface, _), (AgentErrors.notSupported, _):
            translated("The account's service does not support this.")
        case (AgentErrors.notFound, _): translated("It is no longer there.")
        case (AgentErrors.notEditable, _): translated("The service does not let you change this.")
        case (AgentErrors.offline, _): translated("Not connected. Try again when there is a connection.")
        case (AgentErrors.unauthorized, _), (AgentErrors.notSignedIn, _), (AgentErrors.signedOut, _):
            translated("Sign in to the account first.")
        case (.invalidArgs, false): impossibleValue
        case (.limitsExceeded, _): translated("That is too much at once. Choose less, or try again in a moment.")
        case (AgentErrors.notOpened, _), (AgentErrors.rejected, _): error.message
        default: translated("Feedbell did not answer. Try again in a moment.")
        }
    }

    static var impossibleValue: String { translated("This value is not possible. A time is written as 09:30.") }

    /// The agent's program gave no reply: it is missing, has another version, or does not work.
    static var noReply: String {
        translated("Close this window, and open it again. If that does not help, install Feedbell again.")
    }

    static var notStarted: String {
        translated("It cannot be started. Press Start to try again. If that does not help, install it again.")
    }

    package static var noSession: String {
        translated("Feedbell needs a desktop session. Log out, log in again, and open it from the menu.")
    }

    package static var sessionEnded: String {
        translated("The desktop session has ended. Close this window, and open it again.")
    }
}
