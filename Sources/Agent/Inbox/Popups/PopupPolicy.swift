package import Basics
import VisibleText

/// Makes popups from notifications: texts, timeout and buttons. Stateless.
package struct PopupPolicy: Equatable, Sendable {
    /// When a popup marks its notification as seen (`popups.mark_seen`).
    package enum MarkSeen: String, Sendable, CaseIterable {
        case shown, dismissed, never
    }

    /// The timeout of popups (`popups.timeout`).
    package enum Timeout: Equatable, Sendable {
        case serverDefault
        case after(milliseconds: Int32)
        case never
    }

    /// Whether popups show the texts of their notifications (`popups.text`).
    package enum Text: String, Sendable, CaseIterable {
        case show, hide
    }

    /// Popups while the session is locked (`popups.locked`).
    package enum Locked: String, Sendable, CaseIterable {
        case show
        case hideText = "hide-text"
        /// There are none, also no critical ones.
        case hold
    }

    package var timeout: Timeout
    /// If more notifications than this arrive at once, they are shown as one summary.
    package var groupAbove: Int
    package var markSeen: MarkSeen
    /// URLs with other schemes are neither offered nor opened. In lower case.
    package var openSchemes: Set<String>
    /// Categories whose notifications are critical: they are shown despite do-not-disturb and are not merged with
    /// others.
    package var criticalCategories: Set<String>
    package var text: Text
    package var locked: Locked
    package var rules: Rules
    /// The buttons beside those of the sender (`popups.buttons`).
    package var ownButtons: [PopupAction]
    /// Whether popups show the pictures of their notifications (`popups.pictures`).
    package var hasPictures: Bool
    /// The hosts of pictures that may have private addresses, in lower case (`popups.private_picture_hosts`).
    package var privatePictureHosts: Set<String>
    /// The web pages to which relative addresses belong, by the keys of the accounts.
    package var linkBases: [String: OpenableURL] = [:]
    /// The names of the accounts by their keys.
    package var accountNames: [String: String] = [:]
    /// Whether popups with texts name their accounts, of which there are several. Those without texts always do.
    package var namesAccounts = true

    package init(
        timeout: Timeout = .serverDefault,
        groupAbove: Int = 3,
        markSeen: MarkSeen = .dismissed,
        openSchemes: Set<String> = ["https", "http", "mailto"],
        criticalCategories: Set<String> = [],
        text: Text = .show,
        locked: Locked = .show,
        rules: Rules = Rules(),
        ownButtons: [PopupAction] = [],
        hasPictures: Bool = true,
        privatePictureHosts: Set<String> = []
    ) {
        self.timeout = timeout
        self.groupAbove = groupAbove
        self.markSeen = markSeen
        self.openSchemes = openSchemes
        self.criticalCategories = criticalCategories
        self.text = text
        self.locked = locked
        self.rules = rules
        self.ownButtons = ownButtons
        self.hasPictures = hasPictures
        self.privatePictureHosts = privatePictureHosts
    }

    /// The maximum number of lines of a notification's text, without the line below it.
    static let bodyLines = 5
    /// The line below the text: subtext, account and expiry.
    static let detailsLimit = 80
    static let accountLimit = 20
    /// Title and text in one line, for a server without bodies.
    static let lineLimit = 200
    static let labelLimit = 40
    /// The maximum number of the sender's buttons, which every server shows beside the default action.
    static let maximumButtons = 2
    /// The number of titles in a summary.
    static let summaryTitles = 5

    /// The urgency of a notification without a rule that sets it. Only the user decides what is critical; the sender
    /// does not.
    func urgency(of notification: Notification) -> UInt8 {
        criticalCategories.contains(notification.category) ? Popup.critical : 1
    }

    /// The popup of one notification.
    ///
    /// - Parameters:
    ///   - account: The key of its account.
    ///   - effects: The settings of the rule that applies to it; nil: none does.
    ///   - now: For the time until it expires; nil: unknown.
    package func popup(
        for notification: Notification,
        of account: String = "",
        effects: RuleEffects? = nil,
        features: ServerFeatures,
        now: Timestamp? = nil
    ) -> Popup {
        let reader = reader(of: account)
        let target = (try? notification.target(reader)) ?? nil
        let click = Popup.Button(
            key: Popup.defaultKey,
            label: target == nil ? PopupText.done : PopupText.open,
            url: target
        )
        let urgency = effects?.urgency?.level ?? urgency(of: notification)
        var summary = RichText(title: notification.title)
        var body = RichText(markup: notification.body)
        if summary.isEmpty { (summary, body) = body.splitFirstLine() }
        body = body.truncated(toLines: Self.bodyLines)
        let name = namesAccounts ? accountNames[account] ?? "" : ""
        let details = details(of: notification, account: features.showsOrigin ? "" : name, now: now)
        if !details.isEmpty {
            body = body.shortened(to: features.quirks.bodyLimit - details.plain.count - 1)
            body.runs += (body.isEmpty ? [] : [RichText.Run("\n")]) + details.runs
        }
        var buttons = [click]
        for action in notification.actions where buttons.count <= Self.maximumButtons {
            if let button = button(of: action, target, reader) { buttons.append(button) }
        }
        buttons += ownButtons.prefix(max(0, features.quirks.maximumButtons - buttons.count)).map(\.button)
        var popup = popup(
            summary,
            body,
            buttons,
            category: category(notification),
            urgency: urgency,
            effects: effects,
            features: features,
            reader
        )
        popup.icon = effects?.icon ?? ""
        if features.showsOrigin { popup.origin = name }
        return popup
    }

    /// A popup without what its notifications say: whose they are, and with our own buttons.
    ///
    /// - Parameter open: Its meaning.
    func withoutText(_ popup: Popup, of open: OpenPopup, features: ServerFeatures) -> Popup {
        var popup = popup
        popup.summary = open.isSummary ? PopupText.new(open.count) : newTitle(open.accounts.first)
        (popup.body, popup.category, popup.origin, popup.icon, popup.picture) = ("", "", "", "", "")
        popup.buttons.removeAll { $0.key != Popup.defaultKey }
        if features.hasActions, !open.isSummary {
            popup.buttons += ownButtons.prefix(features.quirks.maximumButtons - 1).map(\.button)
        }
        return popup
    }

    private func newTitle(_ account: String?) -> String {
        guard let name = account.flatMap({ accountNames[$0] }), !name.isEmpty else { return PopupText.new }
        return PopupText.new(of: RichText(line: name).truncated(to: Self.accountLimit).plain)
    }

    /// The line below the text: the notification's second line, the account if there are several, and when it expires
    /// if the sender wants that to be shown.
    private func details(of notification: Notification, account: String, now: Timestamp?) -> RichText {
        var own: [String] = []
        if !account.isEmpty { own.append(RichText(line: account).truncated(to: Self.accountLimit).plain) }
        if notification.isExpiryVisible, let expires = notification.expires, let now {
            own.append(RemainingTime(now.duration(to: expires)).sentence)
        }
        var details = RichText(markup: notification.subtext)
        if details.isEmpty { details = RichText() }
        if let direction = own.last.flatMap(TextDirection.init(of:)) { details = details.isolated(in: direction) }
        for text in own { details.runs.append(RichText.Run((details.isEmpty ? "" : " · ") + text)) }
        for index in details.runs.indices { details.runs[index].style.insert(.italic) }
        return details.shortened(to: Self.detailsLimit)
    }

    /// The title of a notification in a summary; empty if it has no text.
    func title(of notification: Notification) -> String {
        let title = RichText(title: notification.title)
        return (title.isEmpty ? RichText(markup: notification.body).splitFirstLine().line : title)
            .shortened(to: ServerQuirks().titleLimit).plain
    }

    /// One popup for many notifications. A click on it opens the inbox.
    ///
    /// - Parameters:
    ///   - count: The number of notifications.
    ///   - titles: The titles of the newest ones, newest first.
    package func summary(
        of count: Int,
        titles: [String],
        urgency: UInt8 = 1,
        effects: RuleEffects? = nil,
        features: ServerFeatures
    ) -> Popup {
        let body = Self.list(titles.filter { !$0.isEmpty }, of: count, features.quirks)
        let buttons = [Popup.Button(key: Popup.defaultKey, label: PopupText.open, url: nil)]
        let summary = RichText(line: PopupText.new(count))
        var popup = popup(summary, body, buttons, urgency: urgency, effects: effects, features: features, LinkReader())
        popup.icon = effects?.icon ?? ""
        return popup
    }

    /// The titles in a summary, and the number of notifications that it does not name. Long titles are truncated, the
    /// number is not.
    private static func list(_ titles: [String], of count: Int, _ quirks: ServerQuirks) -> RichText {
        let separator = quirks.titleSeparator
        let named = RichText([RichText.Run(isolated(titles, separator).joined(separator: separator))])
        let rest = count - titles.count
        guard !titles.isEmpty, rest > 0 else { return named }
        let end = separator + PopupText.more(rest)
        return RichText([RichText.Run(named.shortened(to: quirks.bodyLimit - end.count).plain + end)])
    }

    /// Titles on one line keep their order also if some are written from right to left.
    private static func isolated(_ titles: [String], _ separator: String) -> [String] {
        guard separator != "\n", let direction = titles.lazy.compactMap(TextDirection.init(of:)).first else {
            return titles
        }
        return titles.map { $0.isolated(in: direction) }
    }

    private func popup(
        _ summary: RichText,
        _ body: RichText,
        _ buttons: [Popup.Button],
        category: String = "",
        urgency: UInt8,
        effects: RuleEffects?,
        features: ServerFeatures,
        _ reader: LinkReader
    ) -> Popup {
        var line = RichText(line: summary.plain).shortened(to: features.quirks.titleLimit)
        let text = body.shortened(to: features.quirks.bodyLimit)
        if !features.hasBody, !body.isEmpty {
            line = RichText(line: line.plain + (line.isEmpty ? "" : ": ") + text.plain).shortened(to: Self.lineLimit)
        }
        return Popup(
            summary: line.plain,
            body: features.hasBody ? self.body(text, features, reader) : "",
            buttons: features.hasActions ? buttons : [],
            category: category,
            urgency: urgency,
            isResident: features.quirks.needsResident || effects?.isResident == true,
            isTransient: features.quirks.keepsExpired,
            timeout: milliseconds(effects?.timeout ?? timeout, features),
            sound: effects?.sound
        )
    }

    private func body(_ text: RichText, _ features: ServerFeatures, _ reader: LinkReader) -> String {
        var text = text
        if features.quirks.findsTagsInText {
            for index in text.runs.indices { text.runs[index].text = text.runs[index].text.withoutTags }
        }
        guard features.hasMarkup else {
            return features.isKnown ? text.plain : RichText([RichText.Run(text.plain)]).markup
        }
        let link = { (address: String) in features.hasLinks ? try? reader.url(address) : nil }
        let stated = text.statingHosts { link($0)?.host }
        let markup = stated.markup(hasReferences: !features.quirks.showsReferences) { link($0)?.text }
        // An empty line is cut instead.
        return markup + (features.quirks.cutsLastLine && !text.isEmpty ? "\n\u{A0}" : "")
    }

    /// Reads the addresses of an account's notifications.
    func reader(of account: String) -> LinkReader { LinkReader(schemes: openSchemes, base: linkBases[account]) }

    /// nil: it has no label, or its URL must not be opened.
    ///
    /// - Parameter target: The URL that it opens if it has none of its own.
    private func button(of action: Notification.Action, _ target: OpenableURL?, _ reader: LinkReader) -> Popup.Button? {
        let label = RichText(title: action.name)
        let url = LinkReader.isBlank(action.url) ? target : try? reader.url(action.url)
        guard !label.isEmpty, LinkReader.isBlank(action.url) || url != nil else { return nil }
        return Popup.Button(key: action.id, label: label.truncated(to: Self.labelLimit).plain, url: url)
    }

    /// A vendor category, so that a server's rules can distinguish the sender's categories (Desktop Notifications
    /// Specification, "Categories": `x-vendor.class.name`).
    private func category(_ notification: Notification) -> String {
        guard !notification.category.isEmpty else { return "x-feedbell.inbox" }
        var name: [UInt8] = []
        for byte in notification.category.lowercased().utf8 where !UTF8.isContinuation(byte) && name.count < 64 {
            name.append(byte.isAlphanumeric || byte == UInt8(ascii: "_") ? byte : UInt8(ascii: "-"))
        }
        return "x-feedbell.inbox." + String(decoding: name, as: UTF8.self)
    }

    /// In milliseconds. notify-osd shows a popup with timeout 0 and without actions as a dialog window.
    private func milliseconds(_ timeout: Timeout, _ features: ServerFeatures) -> Int32 {
        switch timeout {
        case .serverDefault: features.quirks.timeout ?? -1
        case .after(let milliseconds): milliseconds
        case .never: features.hasActions ? 0 : -1
        }
    }
}
