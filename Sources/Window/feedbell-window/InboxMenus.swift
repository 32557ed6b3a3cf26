import AgentInterface
import GTK
import VisibleText
import Window

/// The menus of the inbox page, and the actions that they and the buttons of the selection name.
final class InboxMenus {
    /// The values that the places menu depends on.
    private struct Choices: Equatable {
        var accounts: [String]
        var categories: [String]
    }

    private let window: GTK.Window
    private let places: MenuButton
    private let pause: MenuButton
    private let actions: Actions
    private let context: ContextMenu
    private var choices: Choices?

    init(_ window: GTK.Window, places: MenuButton, pause: MenuButton, main: MenuButton, snooze: MenuButton) {
        (self.window, self.places, self.pause) = (window, places, pause)
        actions = Actions("inbox", in: window)
        context = ContextMenu(over: window)
        main.setMenu { Self.mainMenu }
        pause.setMenu { Self.pauseMenu }
        snooze.setMenu { Self.snoozeMenu }
        show(PopupPause())
    }

    func connect(_ inbox: InboxWindow) {
        let simple: [(String, InboxAction)] = [
            ("open", .open), ("read", .read), ("unread", .unread), ("archive", .archive), ("unarchive", .unarchive),
            ("delete", .delete), ("unsnooze", .unsnooze), ("expand", .expand), ("test-rules", .testRules),
            ("copy", .copy), ("snooze-until", .snoozeUntil), ("picture-link", .openPictureLink), ("unmute", .unmute),
            ("category-preferences", .categoryPreferences), ("leave-topic", .leaveTopic),
            ("select-all", .selectAll), ("mark-all-read", .markAllRead), ("archive-read", .archiveRead),
            ("refresh", .refresh),
        ]
        for (name, action) in simple { actions.add(name) { [unowned inbox] in inbox.receive(.act(action)) } }
        actions.add("snooze") { [unowned inbox] (choice: String) in
            if let choice = SnoozeChoice(rawValue: choice) { inbox.receive(.act(.snooze(choice))) }
        }
        for subject in MuteSubject.allCases {
            actions.add("mute-\(subject.rawValue)") { [unowned inbox] (choice: String) in
                if let choice = MuteChoice(rawValue: choice) { inbox.receive(.act(.mute(subject, choice))) }
            }
        }
        // As a property it would be said after the label.
        pause.onTooltip { [unowned inbox] in inbox.pause.title(now: LocalTime.now) }
        actions.add(toggle: "popups") { [unowned inbox] in
            inbox.request(.set(.popups, .toggle(inbox.pause.isPaused)))
        }
        actions.add("pause-hour") { [unowned inbox] in inbox.request(.set(.pauseForHour, .press)) }
        actions.add("pause-tomorrow") { [unowned inbox] in inbox.request(.set(.pauseUntilTomorrow, .press)) }
        actions.add(toggle: "hide-text") { [unowned inbox] in inbox.hideText(!inbox.isTextHidden) }
        actions.add(toggle: "headings") { [unowned inbox] in inbox.receive(.act(.headings)) }
        actions.add("keys") { [unowned inbox] in inbox.receive(.key(.function(1))) }
        actions.add("preferences") { [unowned inbox] in inbox.receive(.key(.control(","))) }
        actions.add("about") { [unowned inbox] in
            inbox.window.showAbout(
                name: WindowNames.name,
                icon: WindowNames.desktopEntry,
                version: AgentNames.version,
                website: "https://feedbell.org/"
            )
        }
        func go(_ change: @escaping (inout InboxQuery) -> Void) {
            var query = inbox.page.query
            change(&query)
            inbox.receive(.go(query))
        }
        actions.add(choice: "view", state: "inbox") { view in
            go { ($0.view, $0.tab) = (InboxQuery.View(rawValue: view) ?? .inbox, "") }
        }
        actions.add(choice: "account", state: "") { account in go { $0.account = account.isEmpty ? nil : account } }
        actions.add(choice: "category", state: "") { category in go { $0.category = category.isEmpty ? nil : category }
        }
        actions.add(toggle: "unread-only") { go { $0.isUnreadOnly.toggle() } }
    }

    // MARK: Showing

    func show(_ page: InboxPage) {
        let query = page.query
        actions.set("view", state: query.view.rawValue)
        actions.set("account", state: query.account ?? "")
        actions.set("category", state: query.category ?? "")
        actions.set("unread-only", isOn: query.isUnreadOnly)
        actions.set("headings", isOn: page.hasHeadings)
        let new = Choices(accounts: page.accounts.map(\.name), categories: page.categories.sorted())
        if new != choices { places.setMenu { Self.placesMenu(new) } }
        choices = new
        let selected = page.selectedRows
        let offered: [(String, InboxAction)] = [
            ("read", .read), ("unread", .unread), ("archive", .archive), ("unarchive", .unarchive),
            ("delete", .delete), ("snooze", .snooze(.hour)), ("snooze-until", .snoozeUntil), ("select-all", .selectAll),
            ("mark-all-read", .markAllRead), ("archive-read", .archiveRead), ("refresh", .refresh),
        ]
        for (name, action) in offered { actions.enable(name, page.offers(action, selected)) }
    }

    func show(_ popups: PopupPause) {
        actions.set("popups", isOn: !popups.isPaused)
        pause.setIcon(popups.icon)
        pause.setSpokenLabel(popups.title(now: LocalTime.now))
    }

    func show(isTextHidden: Bool) { actions.set("hide-text", isOn: isTextHidden) }

    private static func placesMenu(_ choices: Choices) -> Menu {
        let placesMenu = Menu()
        let views = Menu()
        for view in InboxQuery.View.allCases { views.append(view.title, action: "inbox.view", target: view.rawValue) }
        placesMenu.append(section: views)
        let filters = Menu()
        filters.append(translated("Only Unread"), action: "inbox.unread-only")
        if !choices.categories.isEmpty {
            let categories = Menu()
            categories.append(translated("All Categories"), action: "inbox.category", target: "")
            for category in choices.categories {
                categories.append(category.nameLine, action: "inbox.category", target: category)
            }
            filters.append(submenu: categories, label: translated("Category"))
        }
        placesMenu.append(section: filters)
        if choices.accounts.count > 1 {
            let accounts = Menu()
            accounts.append(translated("All Accounts"), action: "inbox.account", target: "")
            for account in choices.accounts {
                accounts.append(account.nameLine, action: "inbox.account", target: account)
            }
            placesMenu.append(section: accounts, label: translated("Accounts"))
        }
        return placesMenu
    }

    private static var mainMenu: Menu {
        let (menu, inbox, program) = (Menu(), Menu(), Menu())
        inbox.append(translated("Select All"), action: "inbox.select-all")
        inbox.append(translated("Mark All as Read"), action: "inbox.mark-all-read")
        inbox.append(translated("Archive All Read"), action: "inbox.archive-read")
        inbox.append(translated("Refresh"), action: "inbox.refresh")
        program.append(submenu: pauseMenu, label: translated("Popups"))
        program.append(translated("Date Headings"), action: "inbox.headings")
        program.append(translated("Hide Texts of Popups"), action: "inbox.hide-text")
        program.append(translated("Preferences"), action: "inbox.preferences")
        program.append(translated("Keyboard Shortcuts"), action: "inbox.keys")
        program.append(translated("About Feedbell"), action: "inbox.about")
        menu.append(section: inbox)
        menu.append(section: program)
        return menu
    }

    private static var pauseMenu: Menu {
        let menu = Menu()
        menu.append(translated("Show Popups"), action: "inbox.popups")
        menu.append(translated("Pause for an Hour"), action: "inbox.pause-hour")
        menu.append(translated("Pause until Tomorrow Morning"), action: "inbox.pause-tomorrow")
        return menu
    }

    private static var snoozeMenu: Menu {
        let menu = Menu()
        for choice in SnoozeChoice.allCases {
            menu.append(choice.title, action: "inbox.snooze", target: choice.rawValue)
        }
        menu.append(translated("Another Time…"), action: "inbox.snooze-until")
        return menu
    }

    private static func muteMenu(_ subject: MuteSubject) -> Menu {
        let menu = Menu()
        for choice in MuteChoice.allCases {
            menu.append(choice.title, action: "inbox.mute-\(subject.rawValue)", target: choice.rawValue)
        }
        return menu
    }

    private static func muteLabel(_ subject: MuteSubject, _ name: String) -> String {
        switch subject {
        case .category: translated("Mute \"{name}\"", ["name": name])
        case .topic: translated("Mute Topic \"{name}\"", ["name": name])
        }
    }

    /// The actions that the selection offers.
    ///
    /// - Parameter closed: Called when it is closed.
    func showContextMenu(_ page: InboxPage, x: Double, y: Double, closed: @escaping () -> Void) {
        let menu = Menu()
        let selected = page.selectedRows
        let row = selected.first.flatMap(page.row)
        let isShownWhole = row?.isExpanded == true && row?.hasMore == false
        let items: [[(String, String, InboxAction)]] = [
            [
                (translated("Open"), "open", .open),
                (isShownWhole ? translated("Show Less") : translated("Show More"), "expand", .expand),
                (translated("Open Link of Picture"), "picture-link", .openPictureLink),
                (translated("Copy Text"), "copy", .copy),
            ],
            [
                (translated("Mark as Read"), "read", .read), (translated("Mark as Unread"), "unread", .unread),
                (translated("Archive"), "archive", .archive), (translated("Unarchive"), "unarchive", .unarchive),
                (translated("End Snooze"), "unsnooze", .unsnooze), (translated("Unmute"), "unmute", .unmute),
                (translated("Delete"), "delete", .delete),
            ],
        ]
        for group in items {
            let section = Menu()
            for (label, name, action) in group where page.offers(action, selected) {
                section.append(label, action: "inbox.\(name)")
            }
            menu.append(section: section)
        }
        if page.offers(.testRules, selected) {
            let section = Menu()
            section.append(translated("Which Rule Applies"), action: "inbox.test-rules")
            if page.offers(.categoryPreferences, selected), let name = page.muteValue(.category, selected) {
                let label = translated("Preferences of \"{name}\"", ["name": name])
                section.append(label, action: "inbox.category-preferences")
            }
            if page.offers(.leaveTopic, selected), let name = page.muteValue(.topic, selected) {
                section.append(translated("Stop Following \"{name}\"", ["name": name]), action: "inbox.leave-topic")
            }
            menu.append(section: section)
        }
        let later = Menu()
        for subject in MuteSubject.allCases where page.offers(.mute(subject, .hour), selected) {
            guard let name = page.muteValue(subject, selected) else { continue }
            later.append(submenu: Self.muteMenu(subject), label: Self.muteLabel(subject, name))
        }
        if page.offers(.snooze(.hour), selected) {
            later.append(submenu: Self.snoozeMenu, label: translated("Snooze"))
        }
        menu.append(section: later)
        context.closed = closed
        context.show(menu, x: x, y: y)
    }
}
