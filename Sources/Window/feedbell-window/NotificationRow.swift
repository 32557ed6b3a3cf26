import AgentInterface
import GTK
import VisibleText
import Window

/// The widgets of a notification, which show one after another.
final class NotificationRow {
    let widget: Widget
    /// The notification without the heading of its day; a click on it opens the notification.
    private let body: Widget
    private let day: Label
    private let check: CheckButton
    private let avatar: Avatar
    /// Title and time.
    private let heading: Box
    private let title: Label
    private let pin: Image
    private let mute: Image
    private let time: Label
    private let texts: Box
    /// One for each part of the text.
    private var textLabels: [Label] = []
    /// The line below the text.
    private let notes: Box
    private let facts: Label
    private let expiry: Label
    private let more: Button
    private let less: Button
    private let archive: Button
    private let menuButton: Button
    private let links: LinkButtons
    private(set) var content: RowContent?
    private var place: Widget?
    /// Whether the present click is on a link, which is reported before the row's click.
    private var hasPressedLink = false
    /// The file of the picture that is shown; empty: none is.
    private var shownPicture = ""
    private var hasPictureLink = false {
        didSet { if hasPictureLink != oldValue { avatar.setPointer(hasPictureLink ? "pointer" : "default") } }
    }
    private unowned let window: InboxWindow

    init(in window: InboxWindow) {
        self.window = window
        let builder = Builder(Self.description)
        widget = builder.get("row")
        body = builder.get("body")
        day = builder.get("day")
        check = builder.get("check")
        avatar = builder.get("avatar")
        heading = builder.get("heading")
        title = builder.get("title")
        pin = builder.get("pin")
        mute = builder.get("mute")
        time = builder.get("time")
        texts = builder.get("texts")
        notes = builder.get("notes")
        facts = builder.get("facts")
        expiry = builder.get("expiry")
        more = builder.get("more")
        less = builder.get("less")
        archive = builder.get("archive")
        menuButton = builder.get("menu")
        links = LinkButtons(in: builder.get("links"))
        for part in [heading, notes, links.box] { part.useLines() }
        avatar.onClick(button: 1) { [unowned self] _, _, _ in
            if let content, !content.pictureURL.isEmpty { press(link: NotificationLink.picture) }
        }
        body.onClick(button: 1, claims: { [unowned self] in claimsClick($0) }) { [unowned self] _, _, modifiers in
            if let content, !hasPressedLink, !modifiers.control, !modifiers.shift {
                window.receive(.click(content.row))
            }
        }
        // A label has a menu for its links.
        body.onClick(button: 3, isFirst: true, claims: { _ in true }) { [unowned self] x, y, _ in
            showMenu(from: body, x, y)
        }
        body.onLongPress { [unowned self] _, _ in
            guard let content else { return }
            window.receive(.selectionMode(true))
            window.receive(.select([content.row]))
        }
        time.onTooltip { [unowned self] in content?.exactTime ?? "" }
        // Keys lead to the menu of filters instead.
        facts.takesFocus = false
        facts.onLink { [unowned self] in
            hasPressedLink = true
            if let content, let filter = InboxPage.Filter(rawValue: $0) {
                window.receive(.filter(filter, like: content.row))
            }
        }
        avatar.onTooltip { [unowned self] in content?.pictureURL ?? "" }
        // As a property it would be said after the label.
        menuButton.onTooltip { translated("More actions") }
        archive.onTooltip { translated("Archive") }
        // The key E, and the menu, do the same.
        archive.takesFocus = false
        archive.on("clicked") { [unowned self] in if let content { window.receive(.archive(content.row)) } }
        menuButton.on("clicked") { [unowned self] in showMenu(from: menuButton, 0, menuButton.height) }
        links.pressed = { [unowned self] link in
            if let content { window.receive(.press(content.row, link: link.id)) }
        }
        more.setLabel(translated("Show More"))
        less.setLabel(translated("Show Less"))
        more.on("clicked") { [unowned self] in if let content { window.receive(.expand(content.row)) } }
        less.on("clicked") { [unowned self] in if let content { window.receive(.collapse(content.row)) } }
    }

    private func showMenu(from origin: Widget, _ x: Double, _ y: Double) {
        if let content { window.showMenu(for: content.row, from: origin, x, y) }
    }

    /// - Returns: Whether the widgets in the row do not get the click.
    private func claimsClick(_ modifiers: Key.Modifiers) -> Bool {
        hasPressedLink = false
        return window.page.isSelecting && !modifiers.control && !modifiers.shift
    }

    private func press(textLink address: String) {
        hasPressedLink = true
        if let action = content?.action(ofTextLink: address) { press(link: action) }
    }

    private func press(link: String) {
        hasPressedLink = true
        if let content { window.receive(.press(content.row, link: link)) }
    }

    // MARK: Content

    /// - Parameters:
    ///   - place: The row of the list.
    ///   - known: What is known of the notification already.
    func show(_ key: String, in place: Widget, after known: RowContent?) {
        content = nil
        self.place = place
        update(key, after: known)
    }

    func clear() {
        content = nil
        place = nil
    }

    /// About how many lines it has.
    var lineCount: Int { content?.lineCount ?? 0 }

    /// Shows whether the notification is selected.
    func updateSelection(_ key: String) {
        let isSelecting = window.page.isSelecting
        if isSelecting != check.isVisible {
            // A click selects, wherever in the row it is.
            for part in body.children { part.setTakesClicks(!isSelecting) }
            check.isVisible = isSelecting
        }
        if isSelecting { check.isActive = window.page.selection.contains(RowID(key: key)) }
    }

    /// Shows what has changed of the notification.
    func update(_ key: String, after known: RowContent? = nil) {
        updateSelection(key)
        guard let new = window.page.row(RowID(key: key), after: content ?? known), new != content else { return }
        let old = content
        content = new
        window.frames?.rowChanged()
        set(day, new.heading)
        show(new.title, new.titleMarkup, in: title)
        let isRightToLeft = new.title.isRightToLeft
        for label in [title, facts] { label.align(rightToLeft: isRightToLeft) }
        for part in [heading, notes, links.box] { part.layOut(rightToLeft: isRightToLeft) }
        menuButton.setAccessibleLabel(new.menuLabel)
        archive.isVisible = window.page.offers(.archive, [new.row])
        archive.setAccessibleLabel(new.archiveLabel)
        if new.texts != old?.texts { show(new.texts) }
        // The label makes the links of a markup anew.
        if new.factsMarkup != old?.factsMarkup { facts.setMarkup(new.factsMarkup) }
        facts.isVisible = !new.facts.isEmpty
        set(expiry, new.expiry?.text ?? "")
        expiry.set(style: "error", new.expiry?.isUrgent == true)
        time.text = new.time
        pin.isVisible = new.isPinned
        mute.isVisible = new.isMuted
        more.isVisible = new.hasMore
        less.isVisible = new.isLong && new.isExpanded
        notes.isVisible = new.isLong || new.expiry != nil || !new.facts.isEmpty
        avatar.setText(new.group)
        show(picture: new.picture)
        hasPictureLink = !new.pictureURL.isEmpty
        body.set(style: "unread", new.isUnread)
        body.set(style: "read", !new.isUnread)
        if new.spoken != old?.spoken { place?.setRowLabel(window.name(of: new)) }
        links.show(new.links)
    }

    private func show(_ parts: [RowContent.Text]) {
        while textLabels.count > parts.count { texts.remove(textLabels.removeLast()) }
        while textLabels.count < parts.count {
            let label: Label = Builder(Self.label("text", "text", .wrapped)).get("text")
            label.onLink { [unowned self] in press(textLink: $0) }
            texts.append(label)
            textLabels.append(label)
        }
        for (label, part) in zip(textLabels, parts) {
            show(part.plain, part.markup, in: label)
            label.align(rightToLeft: part.plain.isRightToLeft)
        }
        texts.isVisible = !parts.isEmpty
    }

    private func show(_ text: String, _ markup: String?, in label: Label) {
        if let markup { label.setMarkup(markup) } else { label.text = text }
    }

    private func show(picture file: String) {
        guard file != shownPicture else { return }
        shownPicture = file
        avatar.setPicture(file.isEmpty ? nil : window.picture(file))
    }

    private func set(_ label: Label, _ text: String) {
        label.text = text
        label.isVisible = !text.isEmpty
    }
}

extension NotificationRow {
    private static var description: String {
        """
        <object class="GtkBox" id="row">
          <property name="orientation">vertical</property>
          <child>\(label("day", "day caption-heading dim-label", .cut))</child>
          <child>\(body)</child>
        </object>
        """
    }

    private static var body: String {
        """
        <object class="GtkGrid" id="body">
          <property name="column-spacing">10</property>
          <property name="overflow">hidden</property>
          <style><class name="notification"/></style>
          <child><object class="GtkCheckButton" id="check">
            <property name="visible">0</property>
            <property name="can-focus">0</property>
            <property name="valign">start</property><property name="margin-top">6</property>
            <accessibility><property name="label">\(Markup.escaped(translated("Selected")))</property></accessibility>
            \(Grid.column(0))
          </object></child>
          <child><object class="GtkBox">
            <property name="valign">start</property>
            <style><class name="dot"/></style>
            \(Grid.column(1))
          </object></child>
          <child><object class="AdwAvatar" id="avatar">
            <property name="size">36</property><property name="show-initials">1</property>
            <property name="valign">start</property>
            \(Grid.column(2))
          </object></child>
          <child><object class="GtkBox">
            <property name="orientation">vertical</property>
            <property name="hexpand">1</property><property name="spacing">3</property>
            \(Grid.column(3))
            <child><object class="GtkBox" id="heading">
              <child>\(label("title", "headline", .wrapped, expands))</child>
              <child><object class="GtkImage" id="pin">
                <property name="icon-name">view-pin-symbolic</property>
                <property name="tooltip-text">\(Markup.escaped(translated("Pinned")))</property>
              </object></child>
              <child><object class="GtkImage" id="mute">
                <property name="icon-name">notifications-disabled-symbolic</property>
                <property name="tooltip-text">\(Markup.escaped(translated("Muted")))</property>
              </object></child>
              <child>\(label("time", "caption dim-label", .cut))</child>
            </object></child>
            <child><object class="GtkBox" id="texts">
              <property name="orientation">vertical</property>
            </object></child>
            <child><object class="GtkBox" id="notes">
              <style><class name="notes"/></style>
              <child>\(textButton("more"))</child>
              <child>\(textButton("less"))</child>
              <child>\(label("expiry", "caption", .cut))</child>
              <child>\(label("facts", "caption dim-label facts", .cut, expands + someLetters))</child>
            </object></child>
            <child><object class="GtkBox" id="links">
              <property name="visible">0</property>
              <property name="margin-top">4</property>
              <style><class name="links"/></style>
            </object></child>
          </object></child>
          <!-- As high as the row: keys lead to it after the row's own buttons and links. -->
          <child><object class="GtkBox">
            <property name="orientation">vertical</property>
            \(Grid.column(4))
            \(iconButton("menu", "view-more-symbolic", translated("More actions"), said: hasPopup))
            \(iconButton("archive", "package-x-generic-symbolic", translated("Archive"), Builder.saidByRow.button))
          </object></child>
        </object>
        """
    }

    private static let hasPopup = "<property name=\"has-popup\">true</property>"

    /// - Parameter said: Further properties for screen readers.
    private static func iconButton(
        _ id: String,
        _ icon: String,
        _ label: String,
        _ more: String = "",
        said: String = ""
    ) -> String {
        """
        <child><object class="GtkButton" id="\(id)">
          <property name="icon-name">\(icon)</property>
          <property name="valign">start</property>\(more)
          <style><class name="flat"/><class name="circular"/><class name="row-menu"/></style>
          <accessibility><property name="label">\(Markup.escaped(label))</property>\(said)</accessibility>
        </object></child>
        """
    }

    private static func textButton(_ id: String) -> String {
        """
        <object class="GtkButton" id="\(id)">
          <property name="visible">0</property>
          <style><class name="flat"/><class name="caption"/><class name="more"/></style>
        </object>
        """
    }

    private static let expands = "<property name=\"hexpand\">1</property>"
    private static let someLetters = "<property name=\"width-chars\">12</property>"

    /// How a label shows a text that does not fit. With both, GTK 4.8 measures two heights.
    private enum Overflow {
        case wrapped
        case cut

        var properties: String {
            switch self {
            case .wrapped: Builder.wraps
            case .cut: "<property name=\"ellipsize\">end</property>"
            }
        }
    }

    private static func label(_ id: String, _ styles: String, _ overflow: Overflow, _ more: String = "") -> String {
        let classes = styles.split(separator: " ").map { "<class name=\"\($0)\"/>" }.joined()
        return """
            <object class="GtkLabel" id="\(id)">
              <property name="xalign">0</property>
              \(overflow.properties)\(more)\(Builder.saidByRow.label)
              <style>\(classes)</style>
            </object>
            """
    }
}
