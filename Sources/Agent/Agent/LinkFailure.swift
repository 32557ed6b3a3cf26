import Inbox
import VisibleText

/// Why no link was opened.
package enum LinkFailure: Error, Equatable, Sendable {
    /// The notification has none.
    case noLink
    /// `popups.open_schemes` does not contain this one.
    case notAllowed(scheme: String)
    /// The link is relative, and this account has neither `link_base` nor `inbox_url`.
    case noBase(account: String)
    /// The address names a user before the host.
    case namesUser
    case invalid
    case failed(URLOpener.Failure)
    case timedOut
    /// Too many links wait, or the agent is ending.
    case dropped

    /// - Parameter account: The name of the account.
    init(_ problem: LinkReader.Problem, account: String) {
        self =
            switch problem {
            case .notAllowed(let scheme): .notAllowed(scheme: scheme)
            case .noBase: .noBase(account: account)
            case .namesUser: .namesUser
            case .invalid: .invalid
            }
    }

    /// Schemes of programs in the address, which are not worth an advice how to allow them.
    private static let programs: Set = ["javascript", "vbscript", "data"]

    /// For the bus and the log: not translated, and with keys of the configuration.
    package var sentence: String {
        switch self {
        case .notAllowed(let scheme) where Self.programs.contains(scheme):
            "Links of the scheme \"\(scheme)\" are not opened."
        case .notAllowed(let scheme):
            "Links of the scheme \"\(scheme)\" are not opened. To allow them, add it to popups.open_schemes."
        case .noBase(let account):
            "Its link names no website. Set link_base of the account \"\(account)\" to that of its app."
        default: message(untranslated)
        }
    }

    /// For the user.
    var words: String { message(translated) }

    /// - Parameter translated: Whether to translate. `packaging/build/messages` finds the messages by this name.
    private func message(_ translated: (_ message: String, _ values: [String: String]) -> String) -> String {
        switch self {
        case .noLink: translated("The notification has no link.", [:])
        case .notAllowed(let scheme):
            translated(
                "Links that begin with \"{scheme}:\" are not opened, because they may start programs.",
                ["scheme": scheme]
            )
        case .noBase(let account):
            translated(
                "Its link names no website. Ask your administrator to name that of the account \"{account}\".",
                ["account": account]
            )
        case .namesUser:
            translated(
                "Its link is not opened: it names a user before the website, and may lead elsewhere than it seems to.",
                [:]
            )
        case .invalid: translated("Its link is not a valid address.", [:])
        case .failed(.noOpener(let program)):
            translated("Cannot find {program}. Install xdg-utils or a desktop portal.", ["program": program])
        case .failed(.noDisplay): translated("There is no display: neither WAYLAND_DISPLAY nor DISPLAY is set.", [:])
        case .failed(.nothingOpens(let scheme)):
            translated(
                "No program opens {scheme} links. Install a browser, or choose one in the settings of the desktop.",
                ["scheme": scheme]
            )
        case .failed(.cancelledByUser): translated("No program was chosen to open the link.", [:])
        case .failed(.unanswered):
            translated("The desktop did not answer whether it opened the link. If it did not, try again.", [:])
        case .timedOut: translated("Opening the link took too long.", [:])
        case .dropped: translated("Too many links are being opened. Try again in a moment.", [:])
        }
    }
}
