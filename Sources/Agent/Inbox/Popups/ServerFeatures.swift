/// The features of a notification server that determine how a popup is made.
package struct ServerFeatures: Equatable, Sendable {
    /// `GetCapabilities` (Desktop Notifications Specification, "org.freedesktop.Notifications.GetCapabilities").
    package let capabilities: Set<String>
    let hasActions: Bool
    let hasBody: Bool
    let hasMarkup: Bool
    /// Whether the server shows links in texts, and opens them by itself.
    let hasLinks: Bool
    /// Whether the server shows the origin of a popup, such as an account, beside the program's name (Plasma).
    let showsOrigin: Bool
    package let quirks: ServerQuirks
    /// Whether the server has answered. Otherwise its markup support is unknown, so texts are escaped and have no tags.
    package let isKnown: Bool

    /// - Parameters:
    ///   - name: With `vendor` and `version` the result of `GetServerInformation`.
    ///   - isKnown: See ``isKnown``.
    package init(
        capabilities: Set<String>,
        name: String = "",
        vendor: String = "",
        version: String = "",
        isKnown: Bool = true
    ) {
        self.capabilities = capabilities
        quirks = ServerQuirks(name: name, vendor: vendor, version: version)
        self.isKnown = isKnown
        hasActions = capabilities.contains("actions")
        hasBody = capabilities.contains("body")
        hasMarkup = capabilities.contains("body-markup") && !quirks.showsMarkup
        hasLinks = hasMarkup && capabilities.contains("body-hyperlinks") && !quirks.showsLinksAsTags
        showsOrigin = capabilities.contains("x-kde-origin-name")
    }

    /// Whether the server shows pictures. An unknown server may be asked again before its popups are shown.
    var showsPictures: Bool { isKnown }
}
