import AgentInterface
import DBus
import Testing

@testable import Window

/// An account that needs its user is a fault only if its token is refused.
@Suite struct SignedOutTests {
    private static let signedOut = PageFixture.account(
        "work",
        state: "unauthorized",
        errorName: AgentErrors.signedOut.text
    )
    private static let notSignedIn = PageFixture.account(
        "work",
        state: "unauthorized",
        errorName: AgentErrors.notSignedIn.text
    )
    private static let refused = PageFixture.account("work", state: "unauthorized")

    @Test(
        "The list says why the user has to sign in, and is urgent only about a refused token",
        arguments: [
            (signedOut, "You have signed out. Sign in to get notifications again.", false),
            (notSignedIn, "Sign in to get the notifications of work.", false),
            (refused, "The service does not accept your token. Sign in again to get notifications.", true),
        ]
    )
    func banner(account: AccountState, text: String, isUrgent: Bool) {
        var page = PageFixture([account], [[PageFixture.notification("1")]])
        let button = InboxPage.Button(action: .signIn(account: "work"), label: "Sign In")
        #expect(
            page.page.banners == [
                InboxPage.Banner(topic: .account("work"), text: text, button: button, isUrgent: isUrgent)
            ]
        )
        #expect(page.send(.signIn(account: "work")) == [.openForm(.signIn(account: "work"))])
    }

    @Test(
        "Without a list, the page has the title and the button to sign in, once",
        arguments: [(signedOut, "Signed Out"), (notSignedIn, "Not Signed In"), (refused, "Sign In Again")]
    )
    func notice(account: AccountState, title: String) {
        var page = PageFixture([account])
        _ = page.send(.listed(page.request("work"), .failed("It is not known.")))
        #expect(page.notice?.title == title && page.notice?.button?.action == .signIn(account: "work"))
        #expect(page.page.banners == [])
        _ = page.send(.agent(.ended))
        #expect(page.notice?.button == .start && page.page.banners == [])
    }

    @Test("Without a list, the account whose user must act comes first, and the one that is signed out last")
    func order() {
        let offline = PageFixture.account("home", state: "offline", isCounted: false)
        let missing = PageFixture.account("shop", state: "unauthorized", errorName: AgentErrors.notSignedIn.text)
        let orders: [([AccountState], String)] = [
            ([Self.signedOut, offline, missing], "Not Signed In"),
            ([Self.signedOut, offline], "The Inbox Cannot Be Loaded"), ([Self.signedOut], "Signed Out"),
        ]
        for (accounts, title) in orders {
            var page = PageFixture(accounts)
            for account in accounts {
                _ = page.send(.listed(page.request(account.name), .failed("It is not known.")))
            }
            #expect(page.notice?.title == title && page.page.banners == [])
        }
    }

    @Test("Where only an administrator can give a token, the user is not told to sign in") func helpless() {
        let account = PageFixture.account("work", state: "unauthorized", capabilities: [])
        let text = "Feedbell gets no token that the service accepts. Ask your administrator."
        var page = PageFixture([account], [[PageFixture.notification("1")]])
        #expect(page.page.banners.map(\.text) == [text] && page.page.banners.map(\.button) == [.retry])
        page = PageFixture([account])
        _ = page.send(.listed(page.request("work"), .failed("It is not known.")))
        #expect(page.notice?.title == "No Access" && page.notice?.button == .retry)

        var accounts = AccountsPage()
        _ = accounts.receive(.accounts([account]))
        let rows = accounts.groups.flatMap(\.rows)
        let refused = rows.first { $0.id == .signIn("work") }
        #expect(refused?.text == text && refused?.value == nil)
        let offered = rows.first { $0.id == .account("work") }?.rows.map(\.id) ?? []
        #expect(offered.contains(.reconnect("work")) && offered.contains(.test("work")))
        #expect(!offered.contains(.signIn("work")) && !offered.contains(.signOut("work")))
    }

    @Test("The list of accounts offers to sign in, and not what needs a token", arguments: [signedOut, notSignedIn])
    func accounts(account: AccountState) {
        var page = AccountsPage()
        _ = page.receive(.accounts([account]))
        let rows = page.groups.flatMap(\.rows)
        let row = rows.first { $0.id == .account("work") }
        #expect(row?.text == (account == Self.signedOut ? "Signed Out" : "Not Signed In"))
        #expect(rows.contains { $0.id == .signIn("work") })
        let offered = row?.rows.map(\.id) ?? []
        #expect(offered.contains(.remove("work")) && !offered.contains(.signOut("work")))
        #expect(!offered.contains(.reconnect("work")))
    }
}
