import AgentInterface
import Testing

@testable import Window

@Suite struct AccountsPageTests {
    typealias Row = AccountsPage.Row

    private static func page(_ accounts: [AccountState] = [PageFixture.account("work")]) -> AccountsPage {
        var page = AccountsPage()
        _ = page.receive(.accounts(accounts))
        return page
    }

    private static func rows(_ page: AccountsPage) -> [FormRow<Row>] {
        page.groups.flatMap(\.rows).flatMap { [$0] + $0.rows }
    }

    @Test("Each account shows its state and its last error, and what can be done") func accounts() {
        let page = Self.page([
            PageFixture.account("work"), PageFixture.account("home", state: "unauthorized"),
            PageFixture.account("shop", state: "offline"),
        ])
        let rows = Self.rows(page)
        #expect(rows.first { $0.id == .account("work") }?.text == "online")
        #expect(rows.first { $0.id == .account("home") }?.text == "unauthorized\nIt is broken.")
        #expect(rows.first { $0.id == .account("shop") }?.text == "offline\nIt is broken.")
        #expect(!rows.contains { $0.id == .reconnect("work") } && rows.contains { $0.id == .reconnect("home") })
        #expect(rows.suffix(2).map(\.id) == [.add, .testAll])
    }

    @Test(
        "An account offers to change and to remove it where programs can",
        arguments: [
            ("program", true, ""), ("config", false, ""), ("preset", false, "Set up by your administrator."),
            ("", true, ""),
        ]
    ) func origins(origin: String, canChange: Bool, text: String) {
        let page = Self.page([PageFixture.account("work", origin: origin)])
        let rows = Self.rows(page)
        #expect(rows.contains { $0.id == .change("work") } == canChange)
        #expect(rows.contains { $0.id == .remove("work") } == canChange)
        #expect(rows.first { $0.id == .account("work") }?.text == (text.isEmpty ? "online" : "online\n" + text))
    }

    @Test("The rows of an account say its name to those who hear them alone") func spoken() {
        let rows = Self.rows(Self.page())
        #expect(rows.first { $0.id == .remove("work") }?.spokenTitle == "Remove Account, work")
    }

    @Test(
        "Rows open forms, and only those have an arrow",
        arguments: [
            (Row.add, AccountForm.Purpose.add), (.change("work"), .change(account: "work")),
            (.signIn("work"), .signIn(account: "work")),
        ]
    ) func forms(row: Row, purpose: AccountForm.Purpose) {
        var page = Self.page()
        #expect(page.receive(.press(row)) == [.openForm(purpose)])
        let opening = Self.rows(page).filter { $0.value == .open }.map(\.id)
        #expect(opening.contains(row) && !opening.contains(.remove("work")) && !opening.contains(.signOut("work")))
    }

    @Test("An account is removed only after a question, which says what is lost") func removal() {
        var page = Self.page()
        let question = AccountsPage.Question.remove(account: "work", waitingActions: 0)
        #expect(page.receive(.press(.remove("work"))) == [.ask(question)])
        #expect(page.receive(.answered(question, isYes: false)) == [])
        #expect(page.receive(.answered(question, isYes: true)) == [.run(.remove(account: "work"))])
        #expect(page.receive(.ended(.remove(account: "work"), failure: nil)) == [.show("Removed work.")])
        let waiting = AccountsPage.Question.remove(account: "work", waitingActions: 2)
        #expect(waiting.text.contains("2 of its actions were not sent yet, and will be discarded."))
    }

    @Test("A failure stands at the account until the next attempt") func failure() {
        var page = Self.page()
        _ = page.receive(.answered(.signOut(account: "work"), isYes: true))
        let waiting = Self.rows(page).filter { [.press, .open].contains($0.value) && !$0.isEditable }
        #expect(waiting.count == 5, "one thing at a time")
        #expect(page.receive(.ended(.signOut(account: "work"), failure: "The keyring is locked.")) == [])
        #expect(Self.rows(page).first { $0.id == .failure("work") }?.title == "The keyring is locked.")
        #expect(page.receive(.press(.test("work"))) == [.run(.test(account: "work"))])
        #expect(page.receive(.press(.test("work"))) == [], "it is being tested")
        let editable = Self.rows(page).filter { $0.value == .press && $0.isEditable && $0.context == "work" }
        #expect(editable.map(\.id) == [.test("work")], "the row that was pressed keeps the focus")
        #expect(!Self.rows(page).contains { $0.id == .failure("work") })
    }

    @Test("Each account names its service, which is requested once") func services() {
        var page = Self.page()
        #expect(page.receive(.opened) == [.run(.listServices)])
        #expect(page.receive(.services(["suprsend": "SuprSend"])) == [])
        #expect(Self.rows(page).first { $0.id == .account("work") }?.text == "SuprSend, online")
        #expect(page.receive(.opened) == [])
    }

    @Test(
        "A problem is listed in words for people with what they can press, until the page is closed",
        arguments: [
            (Finding.Topic.token, "Press Sign In Again"), (.credentials, "Press Sign In Again"),
            (.network, "press Find Problems again"), (.configuration, "ask your administrator"),
        ]
    )
    func findings(topic: Finding.Topic, advice: String) {
        var page = Self.page()
        _ = page.receive(.press(.test("work")))
        let finding = Finding(topic, .problem, account: "work", "\"x_url\" is wrong.", remedy: "Run: feedbell x")
        let fine = Finding(.network, .ok, account: "work", "x answers.")
        #expect(page.receive(.tested(account: "work", [fine, finding])) == [.show("1 problem found.")])
        let rows = Self.rows(page).filter { if case .finding = $0.id { true } else { false } }
        #expect(rows.count == 1 && rows[0].mark == .problem && rows[0].title.contains(advice))
        #expect(rows[0].text == "For your administrator: \"x_url\" is wrong.")
        #expect(rows[0].spokenTitle.hasPrefix("Problem, "))
        _ = page.receive(.closed)
        #expect(!Self.rows(page).contains { $0.id == .finding("work", 0) })
    }

    @Test("Problems that concern no account are found, too") func otherFindings() {
        var page = Self.page()
        #expect(page.receive(.press(.testAll)) == [.run(.testAll)])
        #expect(page.receive(.press(.testAll)) == [], "it is running")
        _ = page.receive(.tested(account: "", [Finding(.clock, .warning, "The clock is wrong.", remedy: "Set it.")]))
        _ = page.receive(.accounts([]))
        let row = Self.rows(page).first { $0.id == .finding("", 0) }
        #expect(row?.title.hasPrefix("The clock of this computer is wrong.") == true && row?.mark == .warning)
        #expect(row?.text == "For your administrator: The clock is wrong.")
        #expect(page.receive(.press(.testAll)) == [.run(.testAll)])
    }

    @Test("A test that finds no problem says so") func noProblems() {
        var page = Self.page()
        _ = page.receive(.press(.test("work")))
        let fine = Finding(.token, .ok, account: "work", "The token is well-formed.")
        #expect(page.receive(.tested(account: "work", [fine])) == [.show("No Problems Found")])
        let row = Self.rows(page).first { $0.id == .finding("work", 0) }
        #expect(row?.title == "No Problems Found" && row?.mark == .good)
        #expect(!Self.rows(page).contains { $0.id == .finding("work", 1) })
    }

    @Test("A refused token is the first thing on each page, with the form to sign in again") func refused() {
        let accounts = [PageFixture.account("work"), PageFixture.account("home", state: "unauthorized")]
        var page = Self.page(accounts)
        #expect(page.groups.first?.rows.map(\.id) == [.signIn("home")])
        #expect(Self.rows(page).filter { $0.id == .signIn("home") }.count == 1)
        #expect(page.receive(.press(.signIn("home"))) == [.openForm(.signIn(account: "home"))])
        var settings = SettingsPage()
        #expect(
            settings.groups(of: .popups, now: PageFixture.now).first?.rows.contains { $0.id == .signIn("home") }
                == false
        )
        _ = settings.receive(.accounts(accounts), now: PageFixture.now)
        #expect(settings.groups(of: .popups, now: PageFixture.now).first?.rows.map(\.title) == ["Sign In to home"])
        let effects = settings.receive(.set(.signIn("home"), .press), now: PageFixture.now)
        #expect(effects == [.openForm(.signIn(account: "home"))])
    }

    @Test("Without an account the page says what to do") func empty() {
        let page = Self.page([])
        #expect(page.groups.first?.text == "Add the account of a service whose notifications you get.")
        #expect(Self.rows(page).map(\.id) == [.add, .testAll])
    }
}
