import AgentInterface
import Testing

@testable import Window

/// The lines above the list that say what is missing from it.
@Suite struct BannerTests {
    private typealias Fixture = PageFixture

    private static func without(_ name: String, waiting: UInt32 = 0, isCounted: Bool = true) -> AccountState {
        let asOf = isCounted ? Fixture.now - 60_000 : 0
        return Fixture.account(name, state: "offline", asOf: asOf, waitingActions: waiting, isCounted: isCounted)
    }

    @Test(
        "All accounts without a connection have one line, without technical words, with what waits to be sent",
        arguments: [
            ([without("work")], "Not connected. Notifications come as soon as there is a connection."),
            (
                [without("work"), without("home")],
                "Not connected. Notifications come as soon as there is a connection."
            ),
            (
                [without("work"), Fixture.account("home"), without("shop")],
                "Not connected: work, shop. Their notifications come as soon as there is a connection."
            ),
            (
                [without("work", waiting: 1)],
                "Not connected. Notifications come as soon as there is a connection. "
                    + "1 of your changes is sent then, too."
            ),
            (
                [without("work", waiting: 1), without("home", waiting: 2)],
                "Not connected. Notifications come as soon as there is a connection. "
                    + "3 of your changes are sent then, too."
            ),
        ]
    )
    func connection(accounts: [AccountState], text: String) {
        let page = PageFixture(accounts, [[Fixture.notification("1")]])
        let button = InboxPage.Button(action: .retry, label: "Try Now")
        #expect(
            page.page.banners == [.init(topic: .connection, text: text, button: button, isUrgent: false)]
        )
    }

    @Test("An account that was never connected is named when it could not be listed") func neverConnected() {
        var page = PageFixture(
            [Fixture.account("work"), Self.without("home", isCounted: false)],
            [[Fixture.notification("1")]]
        )
        #expect(page.page.banners == [])
        _ = page.send(.listed(page.request("home"), .failed("It is not loaded.")))
        #expect(page.page.banners.map(\.topic) == [.connection])
    }

    @Test("What could not be loaded is requested again on request") func missing() {
        let accounts = [Fixture.account("work"), Fixture.account("home")]
        var page = PageFixture(accounts, [[], []])
        let list = (1...50).map { Fixture.notification("\($0)", age: Int64($0)) }
        page = PageFixture(accounts, [list, []])
        let next = page.request("work", .page(offset: 50))
        _ = page.send(.nearEnd)
        _ = page.send(.listed(next, .failed("It did not answer.")))
        #expect(page.page.banners.map(\.text) == ["Some notifications could not be loaded: work."])
        #expect(page.send(.nearEnd) == [])
        #expect(page.send(.retry) == [.list(next)])
        let last = [list[49], Fixture.notification("51", age: 51)]
        _ = page.send(.listed(next, .notifications(last, problem: "")))
        #expect(page.page.banners == [] && page.titles.last == "Nr 51")
    }
}
