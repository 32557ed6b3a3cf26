import Basics
import Testing

@testable import Agent

@Suite struct SignInStateTests {
    private let tokens = GrantedTokens(accessToken: "a", lifetime: .seconds(300), refreshToken: "r")

    @Test("Nobody is signed in at first; a kept refresh token is used") func start() {
        #expect(SignInState().step(at: .zero) == .signIn)
        #expect(SignInState(refreshToken: "r").step(at: .zero) == .refresh(token: "r"))
    }

    @Test(
        "An access token is refreshed 30 s before its end, which counts from before the request",
        arguments: [(0, true), (269, true), (270, false), (400, false)]
    )
    func expiry(second: Int, isUsed: Bool) {
        var state = SignInState()
        state.granted(tokens, requestedAt: .seconds(100))
        let step = state.step(at: .seconds(100 + second))
        #expect(step == (isUsed ? .use(accessToken: "a") : .refresh(token: "r")))
    }

    @Test("An access token without a lifetime is used until it is refused") func unknownLifetime() {
        var state = SignInState()
        state.granted(GrantedTokens(accessToken: "a", refreshToken: "r"), requestedAt: .zero)
        #expect(state.step(at: .seconds(1_000_000)) == .use(accessToken: "a"))
        let mayHelp = state.refused(accessToken: "a")
        #expect(mayHelp)
        #expect(state.step(at: .zero) == .refresh(token: "r"))
    }

    @Test("A refresh without a new refresh token keeps the present one") func keptRefreshToken() {
        var state = SignInState(refreshToken: "r")
        state.granted(GrantedTokens(accessToken: "a", lifetime: .seconds(60)), requestedAt: .zero)
        #expect(state.step(at: .seconds(60)) == .refresh(token: "r"))
    }

    @Test("Without a refresh token the sign-in ends with the access token, and says why") func noRefreshToken() {
        var state = SignInState()
        state.granted(GrantedTokens(accessToken: "a", lifetime: .seconds(300)), requestedAt: .zero)
        #expect(state.step(at: .seconds(100)) == .use(accessToken: "a"))
        guard case .ended(let error) = state.step(at: .seconds(290)) else {
            Issue.record("it has not ended")
            return
        }
        #expect(error.message.contains("offline_access"))
        let mayHelp = state.refused(accessToken: "a")
        #expect(!mayHelp)
    }

    @Test("An old access token that is refused does not cost the present one") func lateRefusal() {
        var state = SignInState()
        state.granted(tokens, requestedAt: .zero)
        let mayHelp = state.refused(accessToken: "older")
        #expect(mayHelp)
        #expect(state.step(at: .zero) == .use(accessToken: "a"))
    }

    @Test("After the end nothing is sent until the user signs in again") func end() {
        var state = SignInState()
        state.granted(tokens, requestedAt: .zero)
        let error = OAuthError(.ended, "no")
        state.ended(error)
        #expect(state.step(at: .zero) == .ended(error))
        #expect(!state.isRefreshDue(at: .seconds(1_000_000)))
        state.granted(tokens, requestedAt: .zero)
        #expect(state.step(at: .zero) == .use(accessToken: "a"))
    }

    @Test("A sign-in is used once a day", arguments: [(86_399, false), (86_400, true)])
    func daily(second: Int, isDue: Bool) {
        var state = SignInState()
        #expect(!state.isRefreshDue(at: .seconds(second)))
        state.granted(tokens, requestedAt: .zero)
        #expect(state.isRefreshDue(at: .seconds(second)) == isDue)
    }

    @Test("What is kept is read again, and belongs to one client at one endpoint") func stored() {
        var stored = StoredSignIn(
            issuer: Sample.issuer.text,
            clientID: "feedbell",
            tokenEndpoint: Sample.metadata.tokenEndpoint,
            refreshToken: "r\"ü"
        )
        #expect(StoredSignIn(stored.text) == stored)
        stored.since = Timestamp(milliseconds: 1_795_000_000_123)
        #expect(StoredSignIn(stored.text) == stored)
        #expect(stored.belongs(to: Sample.client, at: Sample.metadata))
        for change in [\StoredSignIn.issuer, \.clientID, \.tokenEndpoint] {
            var other = stored
            other[keyPath: change] += "x"
            #expect(!other.belongs(to: Sample.client, at: Sample.metadata))
        }
    }

    @Test("Another text is not taken for a sign-in", arguments: ["", "eyJ.eyJ.s", "{}", #"{"refresh_token":"r"}"#])
    func otherText(_ text: String) { #expect(StoredSignIn(text) == nil) }
}
