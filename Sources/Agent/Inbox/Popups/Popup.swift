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

    /// Which sound the server plays (Desktop Notifications Specification, "Hints").
    package enum Sound: Equatable, Sendable {
        case silent
        /// A sound of the sound theme (Sound Naming Specification).
        case theme(String)
        /// An absolute path.
        case file(String)
    }

    /// Desktop Notifications Specification, "Urgency levels".
    package static let critical: UInt8 = 2
    /// GNOME puts a popup of this urgency into its list, without a banner.
    static let low: UInt8 = 0

    /// The key of a click on the popup itself.
    package static let defaultKey = "default"

    /// Whether a server that merges popups takes both for the same.
    func looksLike(_ other: Popup) -> Bool {
        summary == other.summary && body == other.body && urgency == other.urgency
    }

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
    /// Whether the server discards it when it expires.
    package var isTransient: Bool
    /// The account, for a server that shows it beside the program's name; else empty.
    package var origin: String
    /// In milliseconds; -1: the server's default, 0: never.
    package var timeout: Int32
    /// nil: the server's choice.
    package var sound: Sound?
    /// The name of an icon of the theme, or an absolute path; empty: the program's icon.
    package var icon: String
    /// The absolute path of a picture; empty: none.
    package var picture: String

    package init(
        summary: String,
        body: String,
        buttons: [Button] = [],
        category: String = "",
        urgency: UInt8 = 1,
        isResident: Bool = false,
        isTransient: Bool = false,
        origin: String = "",
        timeout: Int32 = -1,
        sound: Sound? = nil,
        icon: String = "",
        picture: String = ""
    ) {
        self.summary = summary
        self.body = body
        self.buttons = buttons
        self.category = category
        self.urgency = urgency
        self.isResident = isResident
        self.isTransient = isTransient
        self.origin = origin
        self.timeout = timeout
        self.sound = sound
        self.icon = icon
        self.picture = picture
    }
}
