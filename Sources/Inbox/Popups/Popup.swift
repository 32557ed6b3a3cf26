/// The features of a notification server that determine how a popup is made.
package struct ServerFeatures: Equatable, Sendable {
    /// `GetCapabilities` (Desktop Notifications Specification, "org.freedesktop.Notifications.GetCapabilities").
    package var capabilities: Set<String>
    /// `GetServerInformation`: name and version.
    package var name: String
    package var version: String

    /// Whether the server has answered. Otherwise its markup support is unknown, so texts are escaped and have no tags.
    package var isKnown: Bool

    package init(capabilities: Set<String>, name: String = "", version: String = "", isKnown: Bool = true) {
        self.capabilities = capabilities
        self.isKnown = isKnown
        self.name = name
        self.version = version
    }

    var hasActions: Bool { capabilities.contains("actions") }
    var hasBody: Bool { capabilities.contains("body") }
    var hasMarkup: Bool { capabilities.contains("body-markup") }

    /// Plasma before 6.4 removes the actions from a history entry unless the popup is resident.
    var needsResident: Bool {
        guard name == "Plasma" else { return false }
        let parts = version.split(separator: ".").compactMap { Int($0) }
        return (parts.first ?? 0, parts.dropFirst().first ?? 0) < (6, 4)
    }
}

/// One call of `Notify`, ready to be sent.
package struct Popup: Equatable, Sendable {
    /// A button. Keys consist of letters and hyphens, which every server passes on unchanged.
    package struct Button: Equatable, Sendable {
        package var key: String
        package var label: String
        /// The URL that the button opens, if any.
        package var url: OpenableURL?

        package init(key: String, label: String, url: OpenableURL?) {
            self.key = key
            self.label = label
            self.url = url
        }
    }

    /// Desktop Notifications Specification, "Urgency levels".
    package static let critical: UInt8 = 2

    /// The key of a click on the popup itself.
    package static let defaultKey = "default"

    /// One line of plain text.
    package var summary: String
    /// In the server's markup, or plain; empty if the server does not support bodies.
    package var body: String
    /// Empty if the server does not support actions.
    package var buttons: [Button]
    package var category: String
    /// Desktop Notifications Specification, "Urgency levels": 0 low, 1 normal, 2 critical.
    package var urgency: UInt8
    package var isResident: Bool
    /// In milliseconds; -1: the server's default, 0: never.
    package var timeout: Int32

    package init(
        summary: String,
        body: String,
        buttons: [Button] = [],
        category: String = "",
        urgency: UInt8 = 1,
        isResident: Bool = false,
        timeout: Int32 = -1
    ) {
        self.summary = summary
        self.body = body
        self.buttons = buttons
        self.category = category
        self.urgency = urgency
        self.isResident = isResident
        self.timeout = timeout
    }
}
