/// Makes popups of notifications: what is said, how long it is shown, what can be clicked. No state.
package struct PopupPolicy: Equatable, Sendable {
    /// When a notification counts as seen because of its popup (design.md §4, `popups.mark_seen`).
    package enum MarkSeen: String, Sendable, CaseIterable {
        case shown, dismissed, never
    }

    /// How long a popup is shown (design.md §4, `popups.timeout`).
    package enum Timeout: Equatable, Sendable {
        case serverDefault
        case after(milliseconds: Int32)
        case never
    }

    package var timeout: Timeout
    /// More notifications than this at once become one summary.
    package var groupAbove: Int
    package var markSeen: MarkSeen
    /// Addresses of other schemes are neither offered nor opened. In lower case.
    package var openSchemes: Set<String>

    package init(
        timeout: Timeout = .serverDefault,
        groupAbove: Int = 3,
        markSeen: MarkSeen = .dismissed,
        openSchemes: Set<String> = ["https", "http", "mailto"]
    ) {
        self.timeout = timeout
        self.groupAbove = groupAbove
        self.markSeen = markSeen
        self.openSchemes = openSchemes
    }

    /// Longer texts block real servers for seconds (desktop-notifications.md §2.6).
    static let summaryLimit = 200
    static let bodyLimit = 1000
    static let labelLimit = 40
    /// GNOME shows three buttons, the default one included.
    static let buttonKeys = ["first-button", "second-button"]

    /// The popup of one notification.
    package func popup(for item: Item, features: ServerFeatures) -> Popup {
        var summary = RichText(line: item.title)
        var body = RichText(markup: item.body)
        if summary.isEmpty { (summary, body) = body.splitFirstLine() }
        let subtext = RichText(markup: item.subtext)
        if !subtext.isEmpty {
            let separator = body.isEmpty ? [] : [RichText.Run("\n")]
            body.runs += separator + subtext.runs.map { RichText.Run($0.text, $0.style.union(.italic)) }
        }
        let target = OpenableURL(item.url, schemes: openSchemes)
        var buttons = [Popup.Button(key: Popup.defaultKey, label: target == nil ? "Done" : "Open", url: target)]
        for (key, action) in zip(Self.buttonKeys, item.actions.lazy.filter(isOffered)) {
            let label = RichText(line: action.name).truncated(to: Self.labelLimit).plain
            buttons.append(Popup.Button(key: key, label: label, url: OpenableURL(action.url, schemes: openSchemes)))
        }
        return popup(summary, body, buttons, category: category(item), features: features)
    }

    /// One popup in place of many: how many there are, and the titles of the newest.
    ///
    /// - Parameter items: The notifications, oldest first.
    package func summary(of items: [Item], features: ServerFeatures) -> Popup {
        let titles = items.suffix(5).reversed().map { item in
            let title = RichText(line: item.title)
            return (title.isEmpty ? RichText(markup: item.body).splitFirstLine().line : title).truncated(to: 80).plain
        }
        let body = RichText([RichText.Run(titles.filter { !$0.isEmpty }.joined(separator: "\n"))])
        let buttons = [Popup.Button(key: Popup.defaultKey, label: "Mark as seen", url: nil)]
        let summary = RichText(line: "\(items.count) new notifications")
        return popup(summary, body, buttons, category: "", features: features)
    }

    private func popup(
        _ summary: RichText,
        _ body: RichText,
        _ buttons: [Popup.Button],
        category: String,
        features: ServerFeatures
    ) -> Popup {
        var line = summary.plain
        if !features.hasBody, !body.isEmpty { line += (line.isEmpty ? "" : ": ") + body.plain }
        let shortBody = body.truncated(to: Self.bodyLimit)
        return Popup(
            summary: RichText(line: line).truncated(to: Self.summaryLimit).plain,
            body: !features.hasBody ? "" : features.hasMarkup ? shortBody.markup : shortBody.plain,
            buttons: features.hasActions ? buttons : [],
            category: category,
            isResident: features.needsResident,
            timeout: milliseconds(features)
        )
    }

    /// A button with an address that may not be opened would promise what it does not do.
    private func isOffered(_ action: Item.Action) -> Bool {
        !RichText(line: action.name).isEmpty
            && (action.url.isEmpty || OpenableURL(action.url, schemes: openSchemes) != nil)
    }

    /// A vendor category, so that rules of a server can tell the sender's categories apart
    /// (Desktop Notifications Specification, "Categories": `x-vendor.class.name`).
    private func category(_ item: Item) -> String {
        let name = item.category.lowercased().unicodeScalars.prefix(64).map { scalar in
            scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil) || scalar == "_"
                ? Character(scalar) : "-"
        }
        return name.isEmpty ? "x-feedbell.inbox" : "x-feedbell.inbox." + String(name)
    }

    /// A popup without actions and with timeout 0 is a dialog window on notify-osd (desktop-notifications.md §0.3).
    private func milliseconds(_ features: ServerFeatures) -> Int32 {
        switch timeout {
        case .serverDefault: -1
        case .after(let milliseconds): milliseconds
        case .never: features.hasActions ? 0 : -1
        }
    }
}
