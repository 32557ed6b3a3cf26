import GTK
import VisibleText
import Window

/// The title of the window, which is the button of the menu of places, with the number of unread notifications.
final class PlaceHeading {
    let button: MenuButton
    private let title: Label
    /// In place of title and number where they have no room: in one line, in two, and cut off.
    private let narrowTitles: [Label]
    private let count: Label

    init(_ builder: Builder) {
        button = builder.get("places")
        title = builder.get("title")
        narrowTitles = ["narrow-title", "two-line-title", "cut-title"].map { builder.get($0) }
        count = builder.get("count")
    }

    func show(_ page: InboxPage) {
        title.text = page.heading
        for narrow in narrowTitles { narrow.text = page.heading }
        count.text = "\(page.unread)"
        count.isVisible = page.unread > 0
        button.setSpokenLabel(translated("Choose what is listed: {place}", ["place": page.spokenHeading]))
    }
}

/// The line at the end of the list.
final class ListEndLine {
    private let line: Widget
    private let spinner: Spinner
    private let text: Label
    /// Whether the end of the list is on the screen.
    private var isReached = false

    init(_ builder: Builder) {
        line = builder.get("list-end")
        spinner = builder.get("list-end-spinner")
        text = builder.get("list-end-text")
    }

    func show(_ page: InboxPage, isReached reached: Bool? = nil) {
        isReached = reached ?? isReached
        let end = page.contents == .list && isReached ? page.listEnd : nil
        line.isVisible = end != nil
        text.text = end?.text ?? ""
        spinner.isVisible = end?.isLoading == true
        spinner.isSpinning = end?.isLoading == true
    }
}

/// The buttons of the tabs.
final class TabBar {
    private struct Shown {
        let button: ToggleButton
        let label: Label
        let count: Label
    }

    private let box: Box
    private let scroller: Widget
    private var tabs: [InboxPage.Tab] = []
    private var shown: [Shown] = []
    /// A tab was chosen: its id.
    var chosen: (String) -> Void = { _ in }

    init(_ box: Box, in scroller: Widget) {
        self.box = box
        self.scroller = scroller
    }

    func show(_ new: [InboxPage.Tab]) {
        guard new != tabs else { return }
        if new.map(\.id) != tabs.map(\.id) {
            for tab in shown { box.remove(tab.button) }
            shown = new.map(makeTab)
        }
        tabs = new
        for (tab, widgets) in zip(new, shown) {
            widgets.label.text = tab.label
            widgets.count.text = "\(tab.unread)"
            widgets.count.isVisible = tab.unread > 0
            widgets.button.setAccessibleLabel(tab.unread > 0 ? "\(tab.label) (\(tab.unread))" : tab.label)
            widgets.button.isActive = tab.isChosen
        }
        scroller.isVisible = !new.isEmpty
    }

    private func makeTab(_ tab: InboxPage.Tab) -> Shown {
        let builder = Builder(
            """
            <object class="GtkToggleButton" id="tab">
              <style><class name="flat"/></style>
              <property name="child"><object class="GtkBox">
                <property name="spacing">6</property>
                <style><class name="line"/></style>
                <child><object class="GtkLabel" id="label"/></child>
                <child><object class="GtkLabel" id="count"><style><class name="count"/></style></object></child>
              </object></property>
            </object>
            """
        )
        let button: ToggleButton = builder.get("tab")
        button.on("toggled") { [unowned self, unowned button] in
            let isChosen = tabs.first { $0.id == tab.id }?.isChosen ?? false
            if button.isActive, !isChosen {
                chosen(tab.id)
            } else if !button.isActive, isChosen {
                // A tab stays chosen until another one is.
                button.isActive = true
            }
        }
        box.append(button)
        return Shown(button: button, label: builder.get("label"), count: builder.get("count"))
    }
}

/// The buttons that end the filters.
final class FilterBar {
    private let box: Widget
    private let chips: [(filter: InboxPage.Filter, button: Button, label: Label)]
    /// A filter is to end.
    var ended: (InboxPage.Filter) -> Void = { _ in }

    init(_ builder: Builder) {
        box = builder.get("filters")
        chips = InboxPage.Filter.allCases.map { filter in
            (filter, builder.get(filter.rawValue), builder.get("\(filter.rawValue)-label"))
        }
        for (filter, button, _) in chips { button.on("clicked") { [unowned self] in ended(filter) } }
    }

    func show(_ page: InboxPage) {
        for (filter, button, label) in chips {
            let text = page.label(of: filter)
            button.isVisible = text != nil
            label.text = text ?? ""
            // Translators: What a screen reader says of a button. The name: of a category, an account, or "Unread".
            button.setAccessibleLabel(translated("End Filter: {name}", ["name": text ?? ""]))
        }
        box.isVisible = chips.contains(where: \.button.isVisible)
    }

    static var description: String {
        let chips = InboxPage.Filter.allCases.map { filter in
            """
            <child><object class="GtkButton" id="\(filter.rawValue)">
              <property name="child"><object class="GtkBox">
                <property name="spacing">6</property>
                <child><object class="GtkLabel" id="\(filter.rawValue)-label">
                  <property name="ellipsize">end</property>
                </object></child>
                <child><object class="GtkImage">
                  <property name="icon-name">window-close-symbolic</property>
                </object></child>
              </object></property>
            </object></child>
            """
        }
        return """
            <object class="GtkBox" id="filters">
              <property name="visible">0</property>
              <property name="spacing">6</property><property name="halign">center</property>
              <property name="margin-top">6</property><property name="margin-bottom">6</property>
              <style><class name="tabs"/></style>
              \(chips.joined())
            </object>
            """
    }
}

/// The lines above the list.
final class BannerBox {
    private let box: Box
    private var banners: [InboxPage.Banner] = []
    private var shown: [(widget: Widget, text: Label, button: Button)] = []
    /// The button of a line was pressed.
    var pressed: (InboxPage.Button.Action) -> Void = { _ in }

    init(_ box: Box) { self.box = box }

    func show(_ new: [InboxPage.Banner]) {
        guard new != banners else { return }
        // The text may count seconds: the button below the pointer stays.
        let isSame = new.map(\.button) == banners.map(\.button) && new.map(\.isUrgent) == banners.map(\.isUrgent)
        banners = new
        if !isSame {
            for banner in shown { box.remove(banner.widget) }
            shown = new.map(makeBanner)
        }
        for (banner, widgets) in zip(new, shown) {
            widgets.text.text = banner.text
            widgets.button.setAccessibleDescription(banner.text)
        }
    }

    private func makeBanner(_ banner: InboxPage.Banner) -> (Widget, Label, Button) {
        let icon = banner.isUrgent ? "dialog-warning-symbolic" : "network-offline-symbolic"
        let urgency = banner.isUrgent ? "<class name=\"urgent\"/>" : ""
        let builder = Builder(
            """
            <object class="GtkGrid" id="banner">
              <property name="column-spacing">10</property>
              <style><class name="banner"/><class name="line"/>\(urgency)</style>
              <child><object class="GtkImage">
                <property name="icon-name">\(icon)</property>
                \(Grid.column(0))
              </object></child>
              <child><object class="GtkLabel" id="text">
                <property name="hexpand">1</property><property name="xalign">0</property>
                \(Builder.wraps)
                \(Grid.column(1))
              </object></child>
              <child><object class="GtkButton" id="button">
                <property name="valign">center</property>
                \(Grid.column(2))
              </object></child>
            </object>
            """
        )
        let (widget, button): (Widget, Button) = (builder.get("banner"), builder.get("button"))
        button.isVisible = banner.button != nil
        if let content = banner.button {
            button.setLabel(content.label)
            button.on("clicked") { [unowned self] in pressed(content.action) }
        }
        box.append(widget)
        return (widget, builder.get("text"), button)
    }
}
