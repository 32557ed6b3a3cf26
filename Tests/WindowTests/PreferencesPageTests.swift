import AgentInterface
import DBus
import Testing

@testable import Window

@Suite struct PreferencesPageTests {
    typealias Row = PreferenceRow

    /// A page that shows these categories of the account `work`.
    private static func opened(
        _ categories: [CategoryRecord],
        levels: [ChannelSetting] = [],
        capabilities: [String] = ["preferences", "category-preferences"]
    ) -> PreferencesPage {
        var page = PreferencesPage()
        _ = page.receive(.accounts([PageFixture.account("work", capabilities: capabilities)]))
        _ = page.receive(.opened)
        _ = page.receive(.listed(account: "work", .loaded(categories, levels: levels)))
        for category in categories { _ = page.receive(.unfolded(account: "work", .category(category.id))) }
        return page
    }

    private static func category(_ id: String, _ change: (inout CategoryRecord) -> Void = { _ in }) -> CategoryRecord {
        var category = CategoryRecord()
        (category.id, category.name, category.preference, category.isEditable) = (id, id.uppercased(), .on, true)
        category.channels = [
            CategoryChannel(name: "email", preference: .on, isEditable: false),
            CategoryChannel(name: "inbox", preference: .off, isEditable: true),
        ]
        change(&category)
        return category
    }

    private static func rows(_ page: PreferencesPage) -> [Row: FormRow<Row>] {
        let rows = page.groups(of: "work").flatMap(\.rows).flatMap { [$0] + $0.rows }
        return Dictionary(rows.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
    }

    private static func set(_ page: inout PreferencesPage, _ row: Row, _ value: FormValue) -> PreferenceRequest.Change?
    {
        guard case .send(let request) = page.receive(.set(account: "work", row, value)).first else { return nil }
        return request.change
    }

    @Test("Preferences are requested when they are opened, of the accounts that have them") func opening() {
        var page = PreferencesPage()
        let accounts = [PageFixture.account("home"), PageFixture.account("work", capabilities: ["preferences"])]
        #expect(page.receive(.accounts(accounts)) == [])
        #expect(page.receive(.opened) == [.list(account: "work")])
        #expect(page.accounts == ["work"] && page.groups(of: "work") == [FormGroup(text: "Loading…")])
        _ = page.receive(.closed)
        _ = page.receive(.listed(account: "work", .loaded([Self.category("a")], levels: [])))
        #expect(Self.rows(page).isEmpty, "a late reply")
    }

    @Test(
        "Channels have names for people; unknown ones are shown as the service calls them",
        arguments: [
            ("androidpush", "Android Push"), ("iospush", "iOS Push"), ("webpush", "Web Push"), ("email", "E-Mail"),
            ("inbox", "Inbox"), ("sms", "SMS"), ("whatsapp", "WhatsApp"), ("slack", "Slack"),
            ("ms_teams", "Microsoft Teams"), ("teams", "Microsoft Teams"), ("in_app", "In-App"),
            ("mobile_push", "Mobile Push"), ("web_push", "Web Push"), ("carrier_pigeon", "carrier_pigeon"),
        ]
    )
    func channelNames(channel: String, name: String) {
        let category = Self.category("a") {
            $0.channels = [CategoryChannel(name: channel, preference: .on, isEditable: true)]
        }
        var page = Self.opened([category], levels: [ChannelSetting(channel: channel, isOnlyRequired: false)])
        let rows = Self.rows(page)
        #expect(rows[.channel(category: "a", channel)]?.title == name)
        #expect(rows[.level(channel: channel)]?.title == name)
        let rejected = PreferencesPage.Event.rejected(account: "work", target: channel, reason: "It is fixed.")
        #expect(page.receive(rejected) == [.show("\(name): It is fixed.")])
    }

    @Test("A category is shown as soon as it is listed, also beyond those that are shown at first") func show() {
        var page = PreferencesPage()
        _ = page.receive(.accounts([PageFixture.account("work", capabilities: ["preferences"])]))
        _ = page.receive(.opened)
        #expect(page.receive(.show(account: "work", category: "c59")) == [])
        let categories = (0..<70).map { Self.category("c\($0)") }
        let effects = page.receive(.listed(account: "work", .loaded(categories, levels: [])))
        #expect(effects == [.focus(.category("c59"))])
        #expect(Self.rows(page)[.category("c59")] != nil && Self.rows(page)[.category("c60")] == nil)
        #expect(page.receive(.show(account: "work", category: "c1")) == [.focus(.category("c1"))])
        #expect(page.receive(.show(account: "work", category: "x")) == [])
    }

    @Test("Of several accounts, one is chosen above its preferences") func accounts() {
        var page = Self.opened([Self.category("a")])
        #expect(page.groups == page.groups(of: "work"), "there is nothing to choose")
        let both = ["work", "home"].map { PageFixture.account($0, capabilities: ["preferences"]) }
        _ = page.receive(.accounts(both))
        _ = page.receive(.listed(account: "home", .loaded([Self.category("b")], levels: [])))
        #expect(page.groups[0].rows.map(\.choices) == [["work", "home"]] && page.groups[0].rows[0].value == .choice(0))
        #expect(page.groups.dropFirst() == page.groups(of: "work")[...])
        #expect(page.receive(.set(account: "work", .account, .choice(1))) == [])
        #expect(page.account == "home" && page.groups[0].rows[0].value == .choice(1))
        #expect(page.groups[1].rows.map(\.title) == ["B"])
        #expect(page.receive(.show(account: "work", category: "a")) == [.focus(.category("a"))])
        #expect(page.account == "work", "the category is on its page")
        _ = page.receive(.accounts(Array(both.suffix(1))))
        #expect(page.account == "home" && page.groups == page.groups(of: "home"))
    }

    @Test("Each day of the month of a digest is changed alone, also a position among weekdays") func monthDays() {
        let category = Self.category("a") { category in
            var digest = DigestRecord()
            digest.monthdays = [DigestMonthDay(15), DigestMonthDay(1, weekdays: ["mo"])]
            digest.editable = ["monthdays"]
            category.digest = digest.values
        }
        var page = Self.opened([category])
        let rows = Self.rows(page)
        #expect(rows[.monthDay(category: "a", 0)]?.value == .number(15))
        #expect(rows[.monthDay(category: "a", 1)]?.value == .choice(0))
        #expect(rows[.monthDayNames(category: "a", 1)]?.value == .several([0]))
        #expect(rows[.monthDayNames(category: "a", 0)] == nil)
        func days(_ row: Row, _ value: FormValue) -> [DigestMonthDay]? {
            guard case .digest("a", let change) = Self.set(&page, row, value) else { return nil }
            return change.monthdays
        }
        let first = DigestMonthDay(15)
        #expect(days(.monthDay(category: "a", 1), .choice(4)) == [first, DigestMonthDay(-1, weekdays: ["mo"])])
        #expect(
            days(.monthDayNames(category: "a", 1), .several([5, 6]))
                == [first, DigestMonthDay(-1, weekdays: ["sa", "su"])],
            "the change before is not undone"
        )
        #expect(days(.monthDayNames(category: "a", 1), .several([])) == nil)
        #expect(days(.monthDay(category: "a", 0), .number(1))?.first == DigestMonthDay(1))
    }

    @Test("A refused token is the first thing on the page, with the form to sign in again") func refusedToken() {
        var page = Self.opened([Self.category("a")])
        #expect(Self.rows(page)[.signIn] == nil)
        let account = PageFixture.account("work", state: "unauthorized", capabilities: ["preferences", "new-token"])
        _ = page.receive(.accounts([account]))
        #expect(page.groups(of: "work").first?.rows.map(\.title) == ["Sign In to work"])
        let effects = page.receive(.set(account: "work", .signIn, .press))
        #expect(effects == [.openForm(.signIn(account: "work"))])
    }

    @Test("Without an account that has preferences, the form says so") func noAccounts() {
        var page = PreferencesPage()
        _ = page.receive(.opened)
        _ = page.receive(.accounts([PageFixture.account("home")]))
        let groups = [FormGroup<PreferenceRow>(text: "No account's service has preferences.")]
        #expect(page.groups == groups)
    }

    @Test("What changes while preferences are loaded is not lost: they are loaded again") func changedMeanwhile() {
        var page = Self.opened([Self.category("a")])
        #expect(page.receive(.changed(account: "work", [])) == [.list(account: "work")])
        #expect(page.receive(.changed(account: "work", [Self.category("a") { $0.preference = .off }])) == [])
        let late = PreferencesPage.Event.listed(account: "work", .loaded([Self.category("a")], levels: []))
        #expect(page.receive(late) == [.list(account: "work")])
        #expect(page.receive(late) == [])
    }

    @Test("What could not be loaded says why, and is requested again when the account is online") func failure() {
        var page = PreferencesPage()
        _ = page.receive(.accounts([PageFixture.account("work", state: "waiting", capabilities: ["preferences"])]))
        _ = page.receive(.opened)
        _ = page.receive(.listed(account: "work", .failed("The service is away.")))
        #expect(page.groups(of: "work") == [FormGroup(text: "The service is away.")])
        let online = [PageFixture.account("work", capabilities: ["preferences"])]
        #expect(page.receive(.accounts(online)) == [.list(account: "work")])
        #expect(page.receive(.accounts(online)) == [])
    }

    @Test("Categories are below their sections, channels below their category, and levels at the end") func groups() {
        let page = Self.opened(
            [
                Self.category("a") { ($0.section, $0.sectionDescription) = ("Offers", "Deals") },
                Self.category("b") { $0.section = "Offers" },
                Self.category("c") { $0.isEditable = false },
            ],
            levels: [ChannelSetting(channel: "email", isOnlyRequired: true)]
        )
        let groups = page.groups(of: "work")
        #expect(groups.map(\.title) == ["Offers", "", "Channels"] && groups[0].text == "Deals")
        #expect(groups[0].rows.map(\.title) == ["A", "B"] && groups[2].rows[0].value == .choice(1))
        let rows = Self.rows(page)
        #expect(rows[.category("c")]?.isEditable == false && rows[.category("c")]?.text == "Cannot be switched off.")
        let email = rows[.channel(category: "a", "email")]
        #expect(email?.isEditable == false && email?.value == .toggle(true) && email?.text == "Cannot be changed.")
    }

    @Test("Where a service has only channels, a category has no switch of its own") func onlyChannels() {
        let page = Self.opened([Self.category("a") { $0.isEditable = false }], capabilities: ["preferences"])
        let row = Self.rows(page)[.category("a")]
        #expect(row?.value == nil && row?.text == "" && row?.rows.map(\.value) == [.toggle(true), .toggle(false)])
    }

    @Test("What is set shows at once, and what was there before if the agent refuses it") func refused() throws {
        var page = Self.opened([Self.category("a")])
        let row = Row.channel(category: "a", "inbox")
        let effects = page.receive(.set(account: "work", row, .toggle(true)))
        let change = PreferenceRequest.Change.channel(category: "a", "inbox", isOn: true)
        let request = PreferenceRequest(account: "work", row: row, change: change)
        #expect(effects == [.send(request)] && Self.rows(page)[row]?.value == .toggle(true))
        #expect(page.receive(.finished(request, failure: "It is not editable.")) == [.show("It is not editable.")])
        #expect(Self.rows(page)[row]?.value == .toggle(false))
    }

    @Test("What the agent reports replaces what was set, and a rejection names the category") func reported() {
        var page = Self.opened([Self.category("a"), Self.category("b")])
        #expect(Self.set(&page, .category("a"), .toggle(false)) == .category("a", isOn: false))
        #expect(page.receive(.changed(account: "work", [Self.category("a")])) == [])
        #expect(Self.rows(page)[.category("a")]?.value == .toggle(true))
        let rejection = page.receive(.rejected(account: "work", target: "a", reason: "It is over."))
        #expect(rejection == [.show("A: It is over.")])
        #expect(page.receive(.changed(account: "work", [])) == [.list(account: "work")])
        #expect(page.receive(.changed(account: "work", [Self.category("new")])) == [], "it is being listed already")
    }

    @Test("A digest's days, time and start have controls, which change only their part") func digest() throws {
        var digest = DigestRecord()
        (digest.id, digest.label, digest.weekdays, digest.time) = ("weekly", "Weekly", ["mo", "we"], "09:00")
        (digest.start, digest.editable) = ("2025-08-04", ["weekdays", "time"])
        var page = Self.opened([Self.category("a") { $0.digest = digest.values }])
        let rows = Self.rows(page)
        #expect(rows[.digest(category: "a", .weekdays)]?.value == .several([0, 2]))
        #expect(rows[.digest(category: "a", .start)]?.isEditable == false)
        #expect(rows[.schedule(category: "a")]?.text == "Weekly")
        var change = DigestChangeRecord()
        change.weekdays = ["mo", "su"]
        let days = Self.set(&page, .digest(category: "a", .weekdays), .several([0, 6]))
        #expect(days == .digest(category: "a", change))
        #expect(Self.set(&page, .digest(category: "a", .weekdays), .several([])) == nil, "it would never come")
        change = DigestChangeRecord()
        change.time = "17:30"
        #expect(Self.set(&page, .digest(category: "a", .time), .text("17:30")) == .digest(category: "a", change))
    }

    @Test("A property has the control of its type, and its value the type of the service") func properties() {
        func property(_ id: String, _ kind: String, _ value: Value, _ choices: [Value] = []) -> [String: Value] {
            var property = PropertyRecord()
            (property.id, property.kind, property.value, property.isEditable) = (id, kind, value, true)
            property.choices = choices.enumerated().map { Structure("Nr \($0.offset)", $0.element) }
            return property.values
        }
        let texts = [Value.string("x"), .string("y"), .string("z")]
        var page = Self.opened([
            Self.category("a") {
                $0.properties = [
                    property("minutes", "integer", .int64(5)),
                    property("size", "integer", .int64(2), [.int64(1), .int64(2)]),
                    property("name", "string", .string("n")), property("some", "list", Value(["z"]), texts),
                    property("branches", "list", Value(["main", "dev"])),
                ]
            }
        ])
        let cases: [(id: String, shown: FormValue, set: FormValue, sent: Value)] = [
            ("minutes", .number(5), .number(7), .int64(7)), ("size", .choice(1), .choice(0), .int64(1)),
            ("name", .text("n"), .text("m"), .string("m")),
            ("some", .several([2]), .several([0, 2]), Value(["x", "z"])),
            ("branches", .text("main, dev"), .text("main,  next ,"), Value(["main", "next"])),
        ]
        for (id, shown, value, sent) in cases {
            let row = Row.property(category: "a", id)
            #expect(Self.rows(page)[row]?.value == shown, "\(id)")
            #expect(Self.set(&page, row, value) == .property(category: "a", id, sent), "\(id)")
        }
        #expect(Self.set(&page, .property(category: "a", "size"), .choice(9)) == nil)
    }

    // MARK: Limits

    @Test("Of 1,500 categories 50 are shown at first, then 50 more with each press") func manyCategories() {
        var page = Self.opened((0..<1_500).map { Self.category("\($0)") })
        func titles(_ page: PreferencesPage) -> [String] { page.groups(of: "work").flatMap(\.rows).map(\.title) }
        #expect(titles(page).count == 51 && titles(page).last == "Show More Categories")
        #expect(page.receive(.set(account: "work", .more, .press)) == [])
        #expect(titles(page).count == 101 && titles(page)[99] == "99")
        for _ in 0..<40 { _ = page.receive(.set(account: "work", .more, .press)) }
        #expect(titles(page).count == 1_000 && titles(page).last == "999")
        _ = page.receive(.listed(account: "work", .loaded([Self.category("a"), Self.category("b")], levels: [])))
        #expect(titles(page) == ["A", "B"])
    }

    @Test("The rows below a category come when it is unfolded, at most 100 channels and 100 properties") func details()
    {
        let category = Self.category("a") { category in
            category.channels = (0..<300).map { CategoryChannel(name: "\($0)", preference: .on, isEditable: true) }
            category.properties = (0..<300).map { number in
                var property = PropertyRecord()
                (property.id, property.isEditable, property.kind) = ("\(number)", true, "list")
                property.choices = (0..<(number + 99)).map { Structure("Nr \($0)", .string("\($0)")) }
                return property.values
            }
        }
        var page = PreferencesPage()
        _ = page.receive(.accounts([PageFixture.account("work", capabilities: ["preferences"])]))
        _ = page.receive(.opened)
        _ = page.receive(
            .listed(account: "work", .loaded([category, Self.category("b") { $0.channels = [] }], levels: []))
        )
        let folded = page.groups(of: "work").flatMap(\.rows)
        #expect(folded.map(\.isFoldable) == [true, false] && folded.allSatisfy(\.rows.isEmpty))
        _ = page.receive(.unfolded(account: "work", .category("a")))
        let rows = page.groups(of: "work").flatMap(\.rows)[0].rows
        #expect(rows.count == 200 && rows.allSatisfy { $0.choices.count <= 100 })
        // A change would lose what is not shown.
        #expect(rows.dropFirst(100).prefix(3).map(\.isEditable) == [true, true, false])
    }

    @Test("Names, descriptions and values are cut, and a text that is not shown whole cannot be changed") func texts() {
        let long = String(repeating: "x", count: 100_000)
        var property = PropertyRecord()
        (property.id, property.label, property.isEditable, property.value) = ("p", long, true, .string(long))
        let page = Self.opened([
            Self.category("a") {
                ($0.name, $0.description, $0.section, $0.sectionDescription) = (long, long, long, long)
                $0.channels = [CategoryChannel(name: long, preference: .on, isEditable: true)]
                $0.properties = [property.values]
            }
        ])
        let group = page.groups(of: "work")[0]
        let texts = [group.title, group.text] + (group.rows + group.rows[0].rows).flatMap { [$0.title, $0.text] }
        #expect(texts.allSatisfy { $0.unicodeScalars.count <= 1_020 })
        #expect(group.rows[0].rows.last?.isEditable == false)
        #expect(group.rows[0].rows.last?.value == .text(String(long.prefix(999)) + "…"))
    }
}
