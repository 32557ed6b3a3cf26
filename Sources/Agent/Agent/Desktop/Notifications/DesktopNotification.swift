package import DBus

/// The arguments of one `Notify` call (Desktop Notifications Specification 1.3,
/// "org.freedesktop.Notifications.Notify").
package struct DesktopNotification: Sendable, Equatable {
    package var appName: String
    package var appIcon: String
    package var summary: String
    package var body: String
    /// Keys and labels of the actions, in order.
    package var actions: [(key: String, label: String)]
    package var hints: [String: Value]
    /// In milliseconds; -1: the server's default, 0: never.
    package var expireTimeout: Int32

    package init(
        appName: String,
        appIcon: String = "",
        summary: String,
        body: String,
        actions: [(key: String, label: String)] = [],
        hints: [String: Value] = [:],
        expireTimeout: Int32 = -1
    ) {
        self.appName = appName
        self.appIcon = appIcon
        self.summary = summary
        self.body = body
        self.actions = actions
        self.hints = hints
        self.expireTimeout = expireTimeout
    }

    /// The actions as `Notify` expects them: key, label, key, label, …
    var actionList: [String] { actions.flatMap { [$0.key, $0.label] } }

    package static func == (left: Self, right: Self) -> Bool {
        left.appName == right.appName && left.appIcon == right.appIcon && left.summary == right.summary
            && left.body == right.body && left.actionList == right.actionList && left.hints == right.hints
            && left.expireTimeout == right.expireTimeout
    }
}
