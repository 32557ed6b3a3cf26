package import DBus

/// The unchanged arguments of one `Notify` call.
package struct RecordedNotification: Sendable, Hashable {
    package var appName: String
    /// 0: a new popup.
    package var replacesID: UInt32
    package var appIcon: String
    package var summary: String
    package var body: String
    /// Key, label, key, label.
    package var actions: [String]
    package var hints: [String: Value]
    /// In milliseconds; -1: the server's default, 0: never.
    package var expireTimeout: Int32
    /// The id that the server returned; 0 if it rejected the call.
    package var id: UInt32

    package init(
        appName: String,
        replacesID: UInt32 = 0,
        appIcon: String = "",
        summary: String,
        body: String = "",
        actions: [String] = [],
        hints: [String: Value] = [:],
        expireTimeout: Int32 = -1,
        id: UInt32 = 0
    ) {
        self.appName = appName
        self.replacesID = replacesID
        self.appIcon = appIcon
        self.summary = summary
        self.body = body
        self.actions = actions
        self.hints = hints
        self.expireTimeout = expireTimeout
        self.id = id
    }
}

/// An open popup.
package struct TerminalPopup: Sendable, Hashable {
    package enum Urgency: UInt8, Sendable { case low, normal, critical }

    package struct Action: Sendable, Hashable {
        package var key: String
        package var label: String
    }

    package var id: UInt32
    package var appName: String
    package var summary: String
    /// Unchanged, with markup.
    package var body: String
    package var urgency: Urgency
    package var actions: [Action]
    /// Stays open after an action.
    package var isResident: Bool

    /// Validates a call. The types of hints are those of the Desktop Notifications Specification 1.3, "Hints"; unknown
    /// hints are ignored.
    init(id: UInt32, _ call: RecordedNotification) throws(DBusError) {
        guard call.actions.count.isMultiple(of: 2) else {
            throw DBusError(
                .invalidArgs,
                "The list of actions has an odd count (\(call.actions.count)): each key needs a label."
            )
        }
        for (name, type) in Self.hintTypes {
            guard let value = call.hints[name] else { continue }
            guard value.signature == type else {
                throw DBusError(.invalidArgs, "The hint “\(name)” is of type “\(type)”, not “\(value.signature)”.")
            }
        }
        let urgency = try call.hints.value("urgency", as: UInt8.self) ?? Urgency.normal.rawValue
        guard let urgency = Urgency(rawValue: urgency) else {
            throw DBusError(.invalidArgs, "The hint “urgency” is 0, 1 or 2, not \(urgency).")
        }
        self.id = id
        self.urgency = urgency
        appName = call.appName
        summary = call.summary
        body = call.body
        isResident = try call.hints.value("resident", as: Bool.self) ?? false
        actions = stride(from: 0, to: call.actions.count, by: 2).map {
            Action(key: call.actions[$0], label: call.actions[$0 + 1])
        }
    }

    private static let hintTypes: [(String, Signature)] = [
        ("urgency", "y"), ("category", "s"), ("desktop-entry", "s"), ("image-data", "(iiibiiay)"),
        ("image_data", "(iiibiiay)"),
        ("icon_data", "(iiibiiay)"), ("image-path", "s"), ("image_path", "s"), ("sound-file", "s"), ("sound-name", "s"),
        ("suppress-sound", "b"), ("transient", "b"), ("resident", "b"), ("action-icons", "b"), ("x", "i"), ("y", "i"),
        ("value", "i"), ("sender-pid", "x"),
    ]
}
