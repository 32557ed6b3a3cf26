/// What a notification server says it can do, as far as it matters for what we send.
package struct ServerFeatures: Equatable, Sendable {
    /// `GetCapabilities` (Desktop Notifications Specification, "org.freedesktop.Notifications.GetCapabilities").
    package var capabilities: Set<String>
    /// `GetServerInformation`: name and version.
    package var name: String
    package var version: String

    /// Whether the server has said this. Else its markup is not known either, so that texts are escaped and have no tags.
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

    /// Plasma before 6.4 takes the actions from a history entry unless the popup is resident
    /// (desktop-notifications.md §2.5).
    var needsResident: Bool {
        guard name == "Plasma" else { return false }
        let parts = version.split(separator: ".").compactMap { Int($0) }
        return (parts.first ?? 0, parts.dropFirst().first ?? 0) < (6, 4)
    }
}

/// One call of `Notify`, ready to be sent.
package struct Popup: Equatable, Sendable, Codable {
    /// What a button does. Keys are letters and hyphens, the only ones every server passes through.
    package struct Button: Equatable, Sendable, Codable {
        package var key: String
        package var label: String
        /// `nil` for a button that opens nothing.
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
    /// In the server's markup, or plain; empty if the server shows no body.
    package var body: String
    /// Empty if the server has no actions.
    package var buttons: [Button]
    package var category: String
    /// Desktop Notifications Specification, "Urgency levels": 0 low, 1 normal, 2 critical.
    package var urgency: UInt8
    package var isResident: Bool
    /// Milliseconds; -1: the server decides, 0: never.
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
