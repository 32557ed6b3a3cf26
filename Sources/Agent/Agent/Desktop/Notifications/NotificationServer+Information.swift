package import DBus

extension NotificationServer {
    /// The results of `GetServerInformation` and `GetCapabilities`.
    package struct Information: Sendable, Equatable {
        package var name: String
        package var vendor: String
        package var version: String
        package var capabilities: Set<String>
        /// The ids of closed popups, from a server that sends its signals only to the connection that showed the popup
        /// (dunst); nil if the server broadcasts its signals or keeps no history.
        package var closed: Set<UInt32>?
        /// Another connection that broadcasts every signal of this server. On GNOME a helper of the Shell owns the name
        /// and emits signals only to the connection that showed the popup, while the Shell itself broadcasts them.
        package var broadcaster: BusName?
        /// Whether the server answered.
        package var isKnown: Bool

        package init(
            name: String,
            vendor: String = "",
            version: String,
            capabilities: Set<String>,
            closed: Set<UInt32>? = nil,
            broadcaster: BusName? = nil,
            isKnown: Bool = true
        ) {
            self.name = name
            self.vendor = vendor
            self.version = version
            self.capabilities = capabilities
            self.closed = closed
            self.broadcaster = broadcaster
            self.isKnown = isKnown
        }

        /// For a server that did not answer: the minimum that every server supports.
        package static let unknown = Information(name: "", version: "", capabilities: ["body"], isKnown: false)
    }
}

extension DBusError {
    /// Whether the server is gone. It did not receive the call.
    package var isMissingServer: Bool { [.serviceUnknown, .nameHasNoOwner].contains(name) }

    /// Whether a call of the server has no result: the server has exited, or a program behind it, such as GNOME Shell
    /// behind its helper, did not answer in time and may show the popup later.
    package var isMissingReply: Bool { Self.missingReplies.contains(name) }

    /// The last is GLib's for an error without a name of its own, of `GDBusProxy` for a timeout.
    private static let missingReplies: Set<ErrorName> = [
        .noReply, .timeout, "org.freedesktop.DBus.Error.TimedOut",
        "org.gtk.GDBus.UnmappedGError.Quark._g_2dio_2derror_2dquark.Code24",
    ]

    /// Whether the server has reached its limit of popups: notification-daemon and MATE, with 20.
    package var isFullServer: Bool { name == "org.freedesktop.Notifications.MaxNotificationsExceeded" }
}
