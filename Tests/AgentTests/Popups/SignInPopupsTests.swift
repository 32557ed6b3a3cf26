import DBus
import Testing

@testable import Agent

/// When the user is asked to sign in again.
@Suite struct SignInPopupsTests {
    private static let first: BusName = ":1.1"
    private static let second: BusName = ":1.2"

    private static func place(_ id: UInt32, at server: BusName = first) -> SignInPopups.Place {
        SignInPopups.Place(server: server, id: id)
    }

    /// With the popup of "work" open.
    private static func open() -> SignInPopups {
        var popups = SignInPopups()
        _ = popups.receive(.server(first))
        _ = popups.receive(.accounts(["work"]))
        _ = popups.receive(.waited(number: 1))
        _ = popups.receive(.shown(account: "work", place(7)))
        return popups
    }

    @Test("A popup is shown once while an account needs its user, and closed when it does not") func once() {
        var popups = SignInPopups()
        #expect(popups.receive(.server(Self.first)) == [])
        #expect(popups.receive(.accounts(["work"])) == [.wait(number: 1)])
        #expect(popups.receive(.accounts(["work"])) == [])
        #expect(popups.receive(.waited(number: 1)) == [.show(account: "work", server: Self.first)])
        #expect(popups.receive(.shown(account: "work", Self.place(7))) == [])
        #expect(popups.receive(.accounts(["home", "work"])) == [.wait(number: 2)])
        #expect(popups.receive(.waited(number: 2)) == [.show(account: "home", server: Self.first)])
        #expect(popups.receive(.accounts(["home"])) == [.close(Self.place(7))])
        #expect(popups.receive(.accounts(["home", "work"])) == [.wait(number: 3)])
    }

    @Test("A refusal that does not last shows no popup") func brief() {
        var popups = SignInPopups()
        _ = popups.receive(.server(Self.first))
        #expect(popups.receive(.accounts(["work"])) == [.wait(number: 1)])
        #expect(popups.receive(.accounts([])) == [])
        #expect(popups.receive(.waited(number: 1)) == [])
        #expect(popups.receive(.accounts(["work"])) == [.wait(number: 2)])
        #expect(popups.receive(.waited(number: 1)) == [])
        #expect(popups.receive(.waited(number: 2)) == [.show(account: "work", server: Self.first)])
    }

    @Test("An attempt to connect that is refused again shows no second popup") func attempt() {
        var popups = Self.open()
        #expect(popups.receive(.accounts([], connecting: ["work"])) == [])
        #expect(popups.receive(.accounts(["work"])) == [])
        #expect(popups.receive(.accounts([])) == [.close(Self.place(7))])
    }

    @Test("A popup that appears after its reason is gone is closed") func late() {
        var popups = SignInPopups()
        _ = popups.receive(.server(Self.first))
        _ = popups.receive(.accounts(["work"]))
        _ = popups.receive(.waited(number: 1))
        _ = popups.receive(.accounts([]))
        #expect(popups.receive(.shown(account: "work", Self.place(7))) == [.close(Self.place(7))])
    }

    @Test("A popup that the user closes is not shown again, a click signs in") func userActions() {
        var popups = Self.open()
        #expect(popups.receive(.closed(Self.place(8))) == [])
        #expect(popups.receive(.closed(Self.place(7))) == [])
        #expect(popups.receive(.accounts(["work"])) == [])
        #expect(popups.receive(.server(Self.second)) == [])
        popups = Self.open()
        #expect(popups.receive(.clicked(Self.place(7, at: Self.second))) == [])
        #expect(popups.receive(.clicked(Self.place(7))) == [.close(Self.place(7)), .signIn(account: "work")])
        #expect(popups.receive(.clicked(Self.place(7))) == [])
    }

    @Test("A click has the activation token that came before it for the same popup") func activation() {
        var popups = Self.open()
        #expect(popups.receive(.activated(Self.place(7), token: "t1")) == [])
        let effects = popups.receive(.clicked(Self.place(7)))
        #expect(effects == [.close(Self.place(7)), .signIn(account: "work", token: "t1")])
        popups = Self.open()
        _ = popups.receive(.activated(Self.place(8), token: "t1"))
        #expect(popups.receive(.clicked(Self.place(7))).last == .signIn(account: "work", token: nil))
    }

    @Test("After a sign-in a popup leads to the inbox, unless popups are held back") func signedIn() {
        var popups = SignInPopups()
        #expect(popups.receive(.signedIn(account: "work")) == [], "there is no server")
        _ = popups.receive(.server(Self.first))
        let show = SignInPopups.Effect.showSignedIn(account: "work", server: Self.first)
        #expect(popups.receive(.signedIn(account: "work")) == [show])
        #expect(popups.receive(.shownSignedIn(Self.place(9))) == [])
        _ = popups.receive(.activated(Self.place(9), token: "t1"))
        #expect(popups.receive(.clicked(Self.place(9))) == [.close(Self.place(9)), .openInbox(token: "t1")])
        #expect(popups.receive(.clicked(Self.place(9))) == [])
        _ = popups.receive(.shownSignedIn(Self.place(10)))
        _ = popups.receive(.closed(Self.place(10)))
        #expect(popups.receive(.clicked(Self.place(10))) == [])
        _ = popups.receive(.held(true))
        #expect(popups.receive(.signedIn(account: "work")) == [])
    }

    @Test("A popup waits for a server and for the end of what holds popups back, and moves to the next server")
    func waits() {
        var popups = SignInPopups()
        #expect(popups.receive(.accounts(["work"])) == [.wait(number: 1)])
        #expect(popups.receive(.waited(number: 1)) == [])
        #expect(popups.receive(.held(true)) == [])
        #expect(popups.receive(.server(Self.first)) == [])
        #expect(popups.receive(.held(false)) == [.show(account: "work", server: Self.first)])
        #expect(popups.receive(.notShown(account: "work")) == [])
        #expect(popups.receive(.server(nil)) == [])
        #expect(popups.receive(.server(Self.second)) == [.show(account: "work", server: Self.second)])
        #expect(popups.receive(.shown(account: "work", Self.place(1, at: Self.second))) == [])
        #expect(popups.receive(.server(Self.first)) == [.show(account: "work", server: Self.first)])
    }
}
