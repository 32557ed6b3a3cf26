import AgentInterface
import DBus
import Inbox

/// What asks for the link of a notification: how it is opened, and who learns why it is not.
enum LinkRequest: Sendable {
    /// A click on a popup: the link is opened in the background, and a failure is shown to the user.
    case popup(token: String?)
    /// A click that the desktop passes on, as with a popup. It waits only until the notification is marked.
    case application(token: String?)
    /// A call on the bus, which ends when the link is open.
    ///
    /// - Parameter isTranslated: Whether its error is for the user.
    case call(token: String?, isTranslated: Bool)

    /// A call with these data.
    init(_ platformData: [String: Value]) throws(DBusError) {
        let data = PlatformData(platformData)
        self = .call(
            token: try data.checked(PlatformDataKeys.all.activationToken),
            isTranslated: try data.checked(PlatformDataKeys.all.translated) ?? false
        )
    }

    /// The link cannot be opened, and nothing was marked.
    func refuse(_ failure: LinkFailure, _ opener: LinkOpener) throws(DBusError) {
        switch self {
        case .popup, .application: opener.refuse(failure)
        case .call: throw error(failure)
        }
    }

    func open(_ url: OpenableURL, _ opener: LinkOpener) async throws(DBusError) {
        switch self {
        case .popup(let token), .application(let token): opener.open(url, token: token)
        case .call(let token, _):
            do throws(LinkFailure) { try await opener.openNow(url, token: token) } catch { throw self.error(error) }
        }
    }

    /// The error of a call.
    func error(_ failure: LinkFailure) -> DBusError {
        if case .call(_, isTranslated: true) = self { return DBusError(AgentErrors.notOpened, failure.words) }
        return DBusError(AgentErrors.notOpened, failure.sentence)
    }
}
