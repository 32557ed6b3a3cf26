import Inbox

/// A call of the notification server.
struct PopupCall: Sendable {
    enum Method: Sendable {
        case notify(Popups.Request, Popup, replacing: UInt32)
        case close(UInt32)
    }

    /// The server to call.
    var server: String
    /// Whether that server's capabilities are known.
    var isKnown: Bool
    var method: Method
}
