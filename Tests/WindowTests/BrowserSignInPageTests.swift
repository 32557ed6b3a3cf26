import AgentInterface
import DBus
import Testing

@testable import Window

/// The steps of a sign-in with the browser, as the window shows them.
@Suite struct BrowserSignInPageTests {
    private static func account(_ request: SignInRequest? = nil) -> AccountState {
        AccountState([
            AgentAccount.name.text: [
                "Name": .string("work"), "State": .string("unauthorized"),
                "SignInServers": Structure("login.example.com", "app.example.com").dbusValue,
                "SignInRequest": Value(request?.dictionary ?? [:]),
            ]
        ])
    }

    /// A page whose first sign-in is under way.
    private static func page() -> BrowserSignInPage {
        var page = BrowserSignInPage(account: "work")
        let instructions = "Sign in at login.example.com with your browser, then come back."
        let effects = page.receive(.accounts([account()]))
        #expect(effects == [.announce(instructions), .signIn(1, SignInOptions())], "the browser opens at once")
        return page
    }

    /// A page whose first sign-in has failed.
    private static func failed(isDenied: Bool = false) -> BrowserSignInPage {
        var page = page()
        #expect(page.receive(.ended(1, .failed("it did not work", isDenied: isDenied))) == [.focusMessage])
        return page
    }

    private static func request(_ step: SignInRequest.Step, url: String = "https://x") -> AccountState {
        account(SignInRequest(url: url, until: 0, step: step))
    }

    private static func steps(_ page: BrowserSignInPage) -> [String] {
        page.groups.dropFirst().flatMap(\.rows).map { row in
            let mark = row.mark == .done ? "✓ " : row.mark == .busy ? "… " : ""
            return mark + row.title
        }
    }

    @Test("The page names the server, ticks one step after the other, and says once that the user is signed in")
    func steps() {
        var page = Self.page()
        #expect(page.groups[0].text == "Sign in at login.example.com with your browser, then come back.")
        let titles = ["Opening your browser", "Waiting for you to sign in", "Asking app.example.com"]
        #expect(Self.steps(page) == ["… " + titles[0], titles[1], titles[2]])
        #expect(page.receive(.accounts([Self.request(.browser)])) == [.announce(titles[0])])
        #expect(page.receive(.accounts([Self.request(.waiting)])) == [.announce(titles[1])])
        #expect(Self.steps(page) == ["✓ " + titles[0], "… " + titles[1], titles[2]])
        #expect(page.receive(.accounts([Self.request(.waiting)])) == [], "nothing has changed")
        #expect(page.receive(.accounts([Self.request(.token, url: "")])) == [.announce(titles[2])])
        #expect(Self.steps(page) == ["✓ " + titles[0], "✓ " + titles[1], "… " + titles[2]])
        #expect(page.receive(.ended(1, .signedIn)) == [.close, .show("Signed in to work.")])
        #expect(page.receive(.closed) == [])
    }

    @Test("The link is copied from the sign-in that is under way, or from one that opens no browser") func link() {
        var page = Self.page()
        #expect(page.receive(.press(.copyLink)) == [], "it is being prepared")
        #expect(page.receive(.accounts([Self.request(.browser)])).contains(.copy("https://x")))
        page = Self.failed()
        #expect(page.receive(.press(.copyLink)) == [.signIn(2, SignInOptions(opensBrowser: false))])
        #expect(page.receive(.press(.copyLink)) == [], "it is being prepared")
        #expect(page.receive(.accounts([Self.request(.browser, url: "")])) == [], "no browser opens")
        let effects = page.receive(.accounts([Self.request(.waiting, url: "https://link")]))
        #expect(effects == [.announce("Waiting for you to sign in"), .copy("https://link")])
        #expect(Self.steps(page) == ["… Waiting for you to sign in", "Asking app.example.com"])
        #expect(page.receive(.press(.copyLink)) == [.copy("https://link")])
    }

    @Test("A failure is said, and only who was not let in may be another person") func failure() {
        for isDenied in [true, false] {
            var page = Self.failed(isDenied: isDenied)
            #expect(page.message == "it did not work")
            #expect(Self.steps(page) == [])
            #expect(page.groups[0].rows.map(\.id) == (isDenied ? [.copyLink, .otherPerson] : [.copyLink]))
            #expect(page.receive(.press(.otherPerson)) == [.signIn(2, SignInOptions(isOtherUser: true))])
            #expect(page.message == nil)
        }
    }

    @Test("The end of a sign-in that another one has replaced means nothing") func replaced() {
        var page = Self.page()
        #expect(page.receive(.submit) == [.signIn(2, SignInOptions())])
        #expect(page.receive(.ended(1, .failed("replaced", isDenied: true))) == [])
        #expect(page.message == nil && page.isUnderWay)
    }

    @Test("Who closes the page ends the sign-in, and a removed account closes the page") func closing() {
        var page = Self.page()
        #expect(page.receive(.closed) == [.cancel])
        page = Self.failed()
        #expect(page.receive(.closed) == [])
        #expect(page.receive(.accounts([])) == [.close])
    }
}
