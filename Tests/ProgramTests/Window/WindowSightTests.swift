import AgentInterface
import AgentTestSupport
import DBus
import FoundationEssentials
import Glibc
import Sandbox
import Subprocess
import TestSupport
import Testing

/// How the built window looks: places, edges and contrasts of what it shows.
@Suite(
    .sessionBus,
    .builtAgent(),
    .timeLimit(.minutes(5)),
    .enabled(if: WindowScreen.isBuilt, "libadwaita is not installed")
) struct WindowSightTests {
    private let agent = BuiltAgent.current

    /// Shows the window with these notifications, the first one at the top.
    private func with(
        _ notifications: [JSON],
        environment: [Environment.Key: String?] = [:],
        textScale: Double = 1,
        width: Int = 640,
        _ body: (WindowScreen) async throws -> Void
    ) async throws {
        let all = Array(notifications.reversed())
        try await WindowScreen.with(notifications: all, environment: environment, textScale: textScale) { screen in
            try await screen.resize(width: width, height: 780)
            try await screen.wait(rows: notifications.count)
            try await screen.settled()
            try await body(screen)
        }
    }

    /// More than a year old: its time is a date with the year, which has no letter below the line.
    private var old: JSON { .integer(SandboxTrait.realTime() - 400 * 86_400_000) }

    private func label(_ name: String, on screen: WindowScreen) async throws -> ScreenElement {
        try await screen.wait(for: name, role: "label")
    }

    // MARK: Places

    @Test("In a window of 360 pixels all is in it, and buttons are in several lines", arguments: [1, 1.5, 2])
    func narrow(textScale: Double) async throws {
        let names = ["Track Parcel", "Cancel", "Support"]
        let notification: JSON = [
            "header": "Your parcel is on its way", "text": "It comes between 9:00 and 11:00.",
            "subtext": ["text": "Keyboard shop"], "n_category": "orders",
            "actions": .array(names.map { ["name": .string($0), "url": "https://example.com"] }),
        ]
        try await with([notification], textScale: textScale, width: 360) { screen in
            let narrow = try await screen.elements()
            let window = try #require(narrow.first { $0.role == "window" })
            // Its edge is not a part of it.
            #expect(try await screen.place(of: window).elements.2 <= 360)
            try await screen.keepPicture("narrow-\(textScale)")
            for element in narrow where element.role == "label" || element.role.contains("button") {
                // What does not fit in the header is not shown.
                guard let place = try await element.extents(), place.width > 0, !element.name.hasPrefix("Popups")
                else { continue }
                #expect(place.x >= 0 && place.x + place.width <= 360, "\(element.name): \(place)")
            }
            let buttons = names.compactMap { name in narrow.first { $0.name == name && $0.role == "button" } }
            var places: [(x: Int, y: Int, width: Int, height: Int)] = []
            for button in buttons { places.append(try #require(try await button.extents())) }
            #expect(places.count == 3 && Set(places.map(\.y)).count > 1, "\(places)")
            try await screen.resize(width: 640, height: 780)
            for (button, narrow) in zip(buttons, places) {
                #expect(try await button.extents()?.width == narrow.width, "\(button.name) is cut off")
            }
        }
    }

    @Test("Title and time have one baseline, and one line below the text says the rest", WindowScreen.hasExactPlaces)
    func lines() async throws {
        let notification: JSON = [
            "header": "Title", "text": .string(String(repeating: "A sentence. ", count: 60)), "created_on": old,
            "subtext": ["text": "Keyboard shop"], "n_category": "orders",
        ]
        try await with([notification]) { screen in
            let (title, facts) = (try await label("Title", on: screen), try await label("Keyboard shop", on: screen))
            #expect(facts.name == "Keyboard shop · orders")
            let time = try await screen.wait { $0.contains(where: isDate) }.first(where: isDate)
            var baselines: [Int] = []
            for element in [title, try #require(time)] {
                let top = Int(try await screen.place(of: element).elements.1)
                baselines.append(top + (try #require(try await screen.pixels(of: element).ink).bottom))
            }
            #expect(abs(baselines[0] - baselines[1]) <= 1, "\(baselines)")

            let text = try #require(try await label("A sentence.", on: screen).extents())
            let more = try #require(try await screen.wait(for: "Show More", role: "button").extents())
            let line = try #require(try await facts.extents())
            #expect(more.y >= text.y + text.height && more.y < text.y + text.height + 12)
            #expect(max(more.y, line.y) < min(more.y + more.height, line.y + line.height), "they are in one line")
        }
    }

    private func isDate(_ element: ScreenElement) -> Bool {
        element.role == "label" && element.name.count == 8 && element.name.allSatisfy { "0123456789/".contains($0) }
    }

    @Test("The title and the text of a notification begin at the edge of their direction", WindowScreen.hasExactPlaces)
    func directions()
        async throws
    {
        let hebrew: JSON = [
            "header": "ההזמנה שלך", "text": "החבילה בדרך אליך, והיא תגיע מחר בבוקר.", "n_category": "orders",
        ]
        try await with([hebrew, ["header": "Your order", "text": "The parcel comes."]]) { screen in
            func edges(_ name: String) async throws -> (left: Int, right: Int) {
                let element = try await label(name, on: screen)
                let (x, ink) = (
                    Int(try await screen.place(of: element).elements.0), try await screen.pixels(of: element).ink
                )
                let edges = try #require(ink)
                return (x + edges.left, x + edges.right)
            }
            let (title, text) = (try await edges("ההזמנה"), try await edges("החבילה"))
            let list = try #require(try await screen.wait(for: "Your order", role: "list item").extents())
            #expect(abs(title.right - text.right) <= 2 && text.right > list.x + list.width - 70, "\(title), \(text)")
            #expect(title.left > list.x + list.width / 2)
            #expect(try await abs(edges("orders").right - text.right) <= 2)
            let (other, otherText) = (try await edges("Your order"), try await edges("The parcel"))
            #expect(abs(other.left - otherText.left) <= 2 && other.left < 100)
            try await screen.keepPicture("directions")
        }
    }

    @Test("A code that does not fit is broken without a hyphen that it does not have", WindowScreen.hasExactPlaces)
    func hyphens() async throws {
        let code = String(repeating: "l", count: 55)
        try await with([["header": "Your code", "text": .string(code)]], textScale: 2, width: 360) { screen in
            let pixels = try await screen.pixels(of: label(code, on: screen))
            #expect(pixels.longestLine < 5, "the letters have lines of \(pixels.longestLine) pixels")
        }
    }

    @Test("The header has one title, and the number of unread ones") func header() async throws {
        try await with([["header": "One", "text": "x"], ["header": "Two", "text": "x"]]) { screen in
            let elements = try await screen.elements()
            var titles = 0
            for label in elements where label.role == "label" && label.name.contains("Inbox") {
                // Another one, for a narrow window, is beside the header.
                if let place = try await label.extents(), place.x >= 0, place.width > 0 { titles += 1 }
            }
            #expect(titles == 1)
            #expect(elements.contains { $0.role == "label" && $0.name == "2" })
            #expect(elements.contains { $0.role.contains("button") && $0.name.hasSuffix(": Inbox, 2 unread") })
        }
    }

    @Test(
        "The buttons to archive a row, and of its menu, are drawn in the row with the focus, and below the pointer",
        WindowScreen.hasExactPlaces,
        arguments: ["Archive: ", "More actions: "]
    ) func rowButtons(name: String)
        async throws
    {
        try await with([["header": "One", "text": "x"], ["header": "Two", "text": "x"]]) { screen in
            func isDrawn(_ title: String) async throws -> Bool {
                try await screen.pixels(of: screen.wait(for: name + title, role: "button")).ink != nil
            }
            try await screen.movePointer(to: screen.wait(for: "Inbox", role: "label"))
            #expect(try await isDrawn("One"))
            #expect(try await !isDrawn("Two"))
            try await screen.movePointer(to: label("Two", on: screen))
            #expect(try await isDrawn("Two"))
            try await screen.movePointer(to: screen.wait(for: "Inbox", role: "label"))
            try await screen.key("Down", until: { $0.name.contains("Two") })
            try await screen.waitForFocus(where: { $0.name.contains("Two") })
            #expect(try await isDrawn("Two"))
            #expect(try await !isDrawn("One"))
            guard name == "Archive: " else { return }
            try await screen.movePointer(to: label("One", on: screen))
            try await screen.keepPicture("row-buttons")
            try await screen.click(screen.wait(for: "Archive: One"))
            let rows = try await screen.wait(rows: 1)
            #expect(rows[0].contains("Two"))
            try await screen.waitForFocus(where: { $0.role == "list item" })
        }
    }

    @Test(
        "What the header has besides search and menu is beside the title, or only in the menu of a narrow window",
        WindowScreen.hasExactPlaces
    )
    func headerButtons() async throws {
        try await with([["header": "One", "text": "x"]]) { screen in
            /// Its left edge, in the window or beside it.
            func bell() async throws -> Int {
                try #require(try await screen.wait(for: "Popups are shown", role: "button").extents()).x
            }
            #expect(try await bell() > 0)
            let markAllRead = try await screen.wait(for: "Mark All as Read", role: "button")
            #expect(try await screen.pixels(of: markAllRead).contrast > 7, "it does not look as if it were disabled")
            try await screen.keepPicture("header")
            try await screen.resize(width: 340, height: 780)
            try await screen.keepPicture("header-narrow")
            #expect(try await bell() < 0)
            try await screen.key("F10")
            try await screen.wait(for: "Popups", role: "menu item")
            try await screen.choose("Mark All as Read")
            try await agent.account.wait(AgentInbox.unreadCount, is: 0)
        }
    }

    @Test("Without rows there is nothing to select or to search for") func headerWithoutRows() async throws {
        try await with([["header": "One", "text": "x"]]) { screen in
            let names = ["Select notifications", "Search"]
            for name in names { try await screen.wait(for: name) }
            try await screen.key("e")
            try await screen.wait(for: "You Are Done")
            try await screen.wait { elements in !elements.contains { names.contains($0.name) } }
            try await screen.key("ctrl+f")
            try await screen.waitForFocusedEntry()
            try await screen.type("one")
            try await screen.wait(rows: 1)
        }
    }

    @Test("On a touch screen, what is pressed in a row is at least 40 pixels high", WindowScreen.hasExactPlaces)
    func touch() async throws {
        let notification: JSON = [
            "header": "One", "text": .string(String(repeating: "A sentence. ", count: 60)),
            "actions": [["name": "Buy", "url": "https://example.com"]],
        ]
        try await with([notification], environment: ["FEEDBELL_WINDOW_TOUCH": "1"]) { screen in
            for name in ["Buy", "Show More", "More actions: One", "Archive: One"] {
                let place = try #require(try await screen.wait(for: name, role: "button").extents())
                #expect(place.height >= 40, "\(name): \(place)")
            }
            try await screen.keepPicture("touch")
        }
    }

    @Test("A line above the list does not make the window larger", arguments: [(360, 1.0), (640, 1), (360, 2)])
    func banner(width: Int, textScale: Double) async throws {
        try await with([["header": "One", "text": "x"]], textScale: textScale, width: width) { screen in
            let window = try await screen.wait(for: "Feedbell", role: "window")
            let before = try await screen.place(of: window)
            agent.program.send(SIGTERM)
            try await screen.wait(for: "Feedbell has stopped.")
            #expect(try await screen.place(of: window) == before)
            #expect(try await screen.minimumHeight() <= 400)
            try await screen.keepPicture("banner-\(width)-\(textScale)")
        }
    }

    @Test("A long reason is read to its end, in several lines") func toast() async throws {
        let notification: JSON = ["header": "One", "text": "See [this](javascript:x)."]
        try await with([notification], width: 360) { screen in
            try await screen.key("Right")
            try await screen.key("Tab", until: { $0.name.hasPrefix("See this") })
            try await screen.key("Return")
            let toast = try await label("javascript", on: screen)
            #expect(!toast.name.contains("…"))
            let place = try #require(try await toast.extents())
            #expect(place.height > 30 && place.x >= 0 && place.x + place.width <= 360, "\(place)")
            try await screen.keepPicture("reason")
        }
    }

    @Test("The window has the size that it had when it was closed") func size() async throws {
        try await TemporaryFile.with("") { file in
            let environment: [Environment.Key: String?] = ["XDG_STATE_HOME": file.directory]
            var sizes: [Structure<Int32, Int32, Int32, Int32>] = []
            for isFirst in [true, false] {
                try await WindowScreen.with(environment: environment) { screen in
                    try await screen.wait(for: "No Notifications")
                    if isFirst { try await screen.resize(width: 480, height: 500) }
                    let window = try await screen.settled().first { $0.role == "window" }
                    sizes.append(try await screen.place(of: try #require(window)))
                    try await screen.close()
                }
            }
            #expect(sizes.count == 2 && sizes[0] == sizes[1] && (460...480).contains(sizes[1].elements.2), "\(sizes)")
        }
    }

    @Test("Days have headings above their first rows, until they are switched off for good") func headings()
        async throws
    {
        try await TemporaryFile.with("") { file in
            func open(_ body: (WindowScreen) async throws -> Void) async throws {
                try await WindowScreen.with(environment: ["XDG_STATE_HOME": .some(file.directory)]) { screen in
                    try await screen.wait(rows: 3)
                    try await screen.waitForFocusedRow()
                    try await body(screen)
                    try await screen.close()
                }
            }
            let new = WindowScreen.numbered(2)
            try await Sandbox.current.execute(
                "publish",
                ["notifications": .array([["header": "Old", "text": "x", "created_on": old]] + new)]
            )
            try await agent.waitForList(count: 3)
            try await open { screen in
                let title = try #require(try await label("Nr 2", on: screen).extents())
                let heading = try #require(try await label("Today", on: screen).extents())
                #expect(heading.y + heading.height <= title.y)
                let labels = try await screen.elements().filter { $0.role == "label" }.map(\.name)
                let last = try #require(labels.firstIndex(of: "Old"))
                // The initial of the avatar may be between them.
                let hasHeading = labels[(last - 2)..<last].contains { $0.contains(" 20") }
                #expect(labels.count { $0 == "Today" } == 1 && hasHeading, "\(labels)")
                try await screen.key("Down", "Down")
                try await screen.keepPicture("headings")
                try await screen.key("F10")
                try await screen.choose("Date Headings")
                try await screen.waitForNo("Today")
            }
            try await open { try await $0.waitForNo("Today") }
        }
    }

    @Test("The category of a row, pressed, lists only that, until its button is pressed", WindowScreen.hasExactPlaces)
    func filter() async throws {
        let rows = ["orders", "builds", "orders"].map { category -> JSON in
            ["header": "One", "text": "x", "n_category": .string(category)]
        }
        try await with(rows) { screen in
            let before = try await screen.minimumHeight()
            try await screen.clickInk(of: label("builds", on: screen))
            try await screen.wait(rows: 1)
            try await screen.keepPicture("filter")
            #expect(try await screen.minimumHeight() <= before)
            try await screen.hear("Inbox, 3 notifications") { try await screen.press("End Filter: builds") }
            try await screen.wait(rows: 3)
            try await screen.waitForNo("End Filter")
            // A filter opens nothing.
            try await agent.account.wait(AgentInbox.unreadCount, is: 3)
        }
    }

    @Test("What a search finds is marked in its rows", arguments: ["default", "prefer-dark"]) func found(scheme: String)
        async throws
    {
        let notification: JSON = [
            "header": "The parcel", "text": "Two **parcels** of a [parcel](https://example.com).",
        ]
        try await with([notification], environment: ["ADW_DEBUG_COLOR_SCHEME": .some(scheme)]) { screen in
            // Over the background of the window.
            let mark = scheme == "default" ? "#f8e39c" : "#78631c"
            #expect(try await screen.pixels(of: mark) == 0)
            try await screen.key("ctrl+f")
            try await screen.waitForFocusedEntry()
            try await screen.type("parc")
            try await waiting(for: "marks", every: .milliseconds(50)) {
                try await screen.pixels(of: mark)
            } until: {
                $0 > 500
            }
            try await screen.keepPicture("found-\(scheme)")
        }
    }

    @Test("A selection makes a narrow window no wider, and title and toast with their buttons are whole in it")
    func narrowSelection() async throws {
        try await Catalogues.with { catalogues in
            for (language, title) in [("en", "Inbox"), ("de", "Posteingang"), ("es", "Bandeja de entrada")] {
                let environment = language == "en" ? [:] : catalogues.environment(language)
                try await with(WindowScreen.numbered(3), environment: environment) { screen in
                    /// The widest of those that are in the window: what does not fit in the header is beside it.
                    func titleSize() async throws -> (width: Int, height: Int) {
                        var sizes: [(width: Int, height: Int)] = []
                        for label in try await screen.elements() where label.role == "label" && label.name == title {
                            if let place = try await label.extents(), place.x >= 0 {
                                sizes.append((place.width, place.height))
                            }
                        }
                        return try #require(sizes.max { $0.width < $1.width })
                    }
                    func check(_ buttons: [String], toast text: String) async throws {
                        let toast = try await label(text, on: screen)
                        let place = try await screen.place(of: toast).elements
                        #expect(place.3 > 30, "\(place)")
                        // The button that closes it has a name.
                        #expect(try await !screen.elements().contains { $0.name == "GtkImage" })
                        for name in buttons {
                            let button = try await screen.wait(for: name, role: "button")
                            let (x, y, width, height) = try await screen.place(of: button).elements
                            #expect(x >= 0 && x + width <= 340 && y + height <= 780, "\(name): \(x), \(width)")
                        }
                    }
                    let whole = try await titleSize()
                    try await screen.resize(width: 340, height: 780)
                    let narrow = try await titleSize()
                    try await screen.keepPicture("narrow-header-\(language)")
                    if language == "es" { return #expect(narrow.height > whole.height, "it is not in two lines") }
                    #expect(narrow.width >= whole.width, "the title is cut off")
                    try await screen.key("shift+a")
                    let (undo, archive) = language == "en" ? ("Undo", "Archive 3 Read") : ("Rückgängig", "3 gelesene")
                    try await check([undo, archive], toast: language == "en" ? "All marked" : "Alle als gelesen")
                    try await screen.keepPicture("narrow-toast-\(language)")
                    try await screen.key("ctrl+a")
                    // Whole, or the number alone.
                    let selected = language == "en" ? ["3 selected"] : ["3 ausgewählt", "3"]
                    try await screen.wait { $0.contains { $0.role == "label" && selected.contains($0.name) } }
                    try await screen.keepPicture("narrow-selection-\(language)")
                    try await screen.key("e")
                    try await screen.waitForNo(archive)
                    let archived = language == "en" ? "3 notifications archived" : "3 Benachrichtigungen"
                    try await check([undo], toast: archived)
                    let window = try await screen.wait(for: "Feedbell", role: "window")
                    #expect(try await screen.place(of: window).elements.2 <= 340)
                }
            }
        }
    }

    @Test("A toast lies neither on the buttons of a selection nor on the last row", WindowScreen.hasExactPlaces)
    func toastPlace() async throws {
        try await with(WindowScreen.numbered(14).reversed()) { screen in
            try await screen.key("End")
            try await screen.key("ctrl+a")
            try await screen.wait(for: "14 selected")
            // It is shown for five seconds, which may pass before it was looked at.
            let place = try await waiting(for: "the toast's place") {
                try await screen.key("ctrl+c")
                return try? await screen.place(of: label("Text copied.", on: screen))
            } until: {
                $0 != nil
            }
            func endOfLastRow() async throws -> Int {
                let rows = try await screen.elements().filter { $0.role == "list item" && $0.name.contains("Nr 1,") }
                let last = try #require(try await rows.first?.extents())
                return last.y + last.height
            }
            let toast = try #require(place.map { (y: Int($0.elements.1), height: Int($0.elements.3)) })
            let bar = try #require(try await screen.wait(for: "Mark as Unread", role: "button").extents())
            #expect(toast.y + toast.height < bar.y, "\(toast), \(bar)")
            #expect(try await endOfLastRow() < toast.y)
            try await screen.keepPicture("toast-place")

            // The highest one: with a button below its text, which takes three lines.
            try await screen.key("Escape")
            try await screen.resize(width: 340, height: 780)
            try await screen.key("End")
            try await screen.key("shift+a")
            let text = try await screen.place(of: label("All marked", on: screen)).elements
            try await screen.keepPicture("toast-place-narrow")
            #expect(try await endOfLastRow() < text.1)
        }
    }

    // MARK: Colors

    @Test("Of the senders' buttons, only the first one of the row with the focus has the accent color")
    func primaryButtons() async throws {
        let notifications = ["One", "Two", "Three"].map { title -> JSON in
            let buttons = ["Approve", "Decline"].map { ["name": .string($0), "url": "https://example.com"] as JSON }
            return ["header": .string(title), "text": "x", "actions": .array(buttons)]
        }
        try await with(notifications) { screen in
            try await screen.movePointerAway()
            func wait(_ range: Range<Int>) async throws {
                try await waiting(for: "\(range) pixels of the accent", every: .milliseconds(50)) {
                    try await screen.pixels(of: "#3584e4")
                } until: {
                    range.contains($0)
                }
            }
            // A button has about 2,000, and the mark of an unread one 50.
            try await wait(1_000..<3_000)
            try await screen.key("Down", until: { $0.name.contains("Two") })
            try await wait(1_000..<3_000)
            try await screen.keepPicture("buttons")
            try await screen.key("ctrl+f")
            try await screen.waitForFocusedEntry()
            try await wait(0..<500)
        }
    }

    @Test("A row without a picture of its sender has the initial of its category") func initials() async throws {
        let rows = ["orders", "security"].map { ["header": "One", "text": "x", "n_category": .string($0)] as JSON }
        try await with(rows) { screen in
            try await screen.wait { elements in
                // Screen readers get the initial, or, since libadwaita 1.6, the name of the avatar.
                [("O", "orders"), ("S", "security")].allSatisfy { initial, name in
                    elements.contains { $0.role == "label" && $0.name == initial || $0.name == "Avatar of \(name)" }
                }
            }
            try await screen.keepPicture("initials")
        }
    }

    // MARK: Contrasts

    /// The contrast of a label, once it no longer changes.
    private func contrast(of name: String, on screen: WindowScreen) async throws -> Double {
        try await lasting("contrast of \(name)", readings: 3) {
            try await screen.pixels(of: label(name, on: screen)).contrast
        }
    }

    @Test(
        "Links are readable, in read notifications, too",
        arguments: [("default", "unread"), ("default", "read"), ("prefer-dark", "unread"), ("prefer-dark", "read")]
    )
    func links(scheme: String, state: String) async throws {
        let notification: JSON = ["header": "One", "text": "[a link with many words](https://example.com)"]
        try await with([notification], environment: ["ADW_DEBUG_COLOR_SCHEME": .some(scheme)]) { screen in
            if state == "read" {
                try await screen.key("r")
                try await screen.waitForNo("Unread, ")
            }
            #expect(try await contrast(of: "a link", on: screen) >= 4.5)
        }
    }

    @Test("With high contrast, a read text is not paler than what is small") func highContrast() async throws {
        let notification: JSON = ["header": "One", "text": "HHHHHHHH", "created_on": old, "n_category": "orders"]
        try await with([notification], environment: ["ADW_DEBUG_HIGH_CONTRAST": "1"]) { screen in
            try await screen.key("r")
            try await screen.waitForNo("Unread, ")
            #expect(try await contrast(of: "HHHHHHHH", on: screen) >= contrast(of: "orders", on: screen))
        }
    }
}
