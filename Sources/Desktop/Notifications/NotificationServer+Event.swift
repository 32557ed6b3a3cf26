package import DBus

extension NotificationServer {
    package enum Event: Sendable, Equatable {
        /// A server owns the name; `owner` is its unique name. Ids of an earlier one mean nothing to it.
        case appeared(owner: BusName, Information)
        case vanished
        case activationToken(owner: BusName, id: UInt32, token: String)
        case actionInvoked(owner: BusName, id: UInt32, key: String)
        case closed(owner: BusName, id: UInt32, reason: UInt32)
    }

    /// What a server says about itself: `GetServerInformation` and `GetCapabilities`.
    package struct Information: Sendable, Equatable {
        package var name: String
        package var version: String
        package var capabilities: Set<String>
        /// The ids of popups that are gone, from a server that sends clicks only to the connection that showed the popup, as dunst does;
        /// nil: it broadcasts them, or does not say what is gone.
        package var closed: Set<UInt32>?
        /// Another connection that emits every signal of this server, too, and broadcasts them: GNOME Shell, whose helper owns the name and
        /// emits them to the connection that showed the popup.
        package var broadcaster: BusName?
        /// Whether the server answered.
        package var isKnown: Bool

        package init(
            name: String,
            version: String,
            capabilities: Set<String>,
            closed: Set<UInt32>? = nil,
            broadcaster: BusName? = nil,
            isKnown: Bool = true
        ) {
            self.name = name
            self.version = version
            self.capabilities = capabilities
            self.closed = closed
            self.broadcaster = broadcaster
            self.isKnown = isKnown
        }

        /// Of a server that did not answer: what every server can show.
        package static let unknown = Information(name: "", version: "", capabilities: ["body"], isKnown: false)
    }

    /// The signals of every server, from the moment on at which the bus was asked for them; the newest 1,024 are kept until ``run(_:_:)``.
    package struct Subscription: Sendable {
        let signals: AsyncStream<Message>
        let shellSignals: AsyncStream<Message>
    }
}

extension DBusError {
    /// Whether the error means that the server is not there any more. It has not got the call.
    package var isMissingServer: Bool { [.serviceUnknown, .nameHasNoOwner].contains(name) }

    /// Whether the server keeps as many popups as it can: notification-daemon and MATE, with 20.
    package var isFullServer: Bool { name == "org.freedesktop.Notifications.MaxNotificationsExceeded" }
}
