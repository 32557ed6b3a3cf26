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
        let page = Self.page([PageFixture.account("work"), PageFixture.account("home", state: "unauthorized")])
        let rows = Self.rows(page)
        #expect(rows.first { $0.id == .account("work") }?.text == "online")
        #expect(rows.first { $0.id == .account("home") }?.text == "unauthorized\nIt is broken.")
        #expect(!rows.contains { $0.id == .reconnect("work") } && rows.contains { $0.id == .reconnect("home") })
        #expect(rows.last?.id == .add)
    }

    @Test(
        "Rows open forms",
        arguments: [
            (Row.add, AccountForm.Purpose.add), (.change("work"), .change(account: "work")),
            (.signIn("work"), .signIn(account: "work")),
        ]
    ) func forms(row: Row, purpose: AccountForm.Purpose) {
        var page = Self.page()
        #expect(page.receive(.press(row)) == [.openForm(purpose)])
    }

    @Test("An account is removed only after a question, which says what is lost") func removal() {
        var page = Self.page()
        let question = AccountsPage.Question.remove(account: "work", waitingActions: 0)
        #expect(page.receive(.press(.remove("work"))) == [.ask(question)])
        #expect(page.receive(.answered(question, isYes: false)) == [])
        #expect(page.receive(.answered(question, isYes: true)) == [.perform(.remove(account: "work"))])
        #expect(page.receive(.ended(.remove(account: "work"), failure: nil)) == [.show("Removed work.")])
        let waiting = AccountsPage.Question.remove(account: "work", waitingActions: 2)
        #expect(waiting.text.contains("2 of its actions were not sent yet, and will be discarded."))
    }

    @Test("A failure stands at the account until the next attempt") func failure() {
        var page = Self.page()
        _ = page.receive(.answered(.signOut(account: "work"), isYes: true))
        #expect(Self.rows(page).filter { $0.value == .press && !$0.isEditable }.count == 5, "one thing at a time")
        #expect(page.receive(.ended(.signOut(account: "work"), failure: "The keyring is locked.")) == [])
        #expect(Self.rows(page).first { $0.id == .failure("work") }?.title == "The keyring is locked.")
        #expect(page.receive(.press(.test("work"))) == [.perform(.test(account: "work"))])
        #expect(page.receive(.press(.test("work"))) == [], "it is being tested")
        #expect(!Self.rows(page).contains { $0.id == .failure("work") })
    }

    @Test("The findings of a test are listed with what to do, until the page is closed") func findings() {
        var page = Self.page()
        _ = page.receive(.press(.test("work")))
        let finding = Finding(.token, .problem, account: "work", "It has expired.", remedy: "Get another one.")
        _ = page.receive(.tested(account: "work", [finding]))
        let row = Self.rows(page).first { $0.id == .finding("work", 0) }
        #expect(row?.title == "It has expired." && row?.text == "Get another one.")
        _ = page.receive(.closed)
        #expect(!Self.rows(page).contains { $0.id == .finding("work", 0) })
    }

    @Test("Without an account the page says what to do") func empty() {
        let page = Self.page([])
        #expect(page.groups.first?.text == "Add the account of a service whose notifications you get.")
        #expect(Self.rows(page).map(\.id) == [.add])
    }
}
