import AgentInterface
import DBus
import Testing

@testable import Window

/// What a person reads when the agent or the bus answers with an error.
@Suite struct RequestFailureTests {
    @Test(
        "Errors of the bus and of the agent are no technical sentences",
        arguments: [
            (ErrorName.serviceUnknown, "Feedbell is not running. Press Start in its window."),
            (.nameHasNoOwner, "Feedbell is not running. Press Start in its window."),
            (.timeout, "Feedbell did not answer. Try again in a moment."),
            (.noReply, "Feedbell did not answer. Try again in a moment."),
            (.failed, "Feedbell did not answer. Try again in a moment."),
            (.unknownInterface, "The account's service does not support this."),
            (AgentErrors.notSupported, "The account's service does not support this."),
            (AgentErrors.notFound, "It is no longer there."),
            (AgentErrors.notEditable, "The service does not let you change this."),
            (AgentErrors.offline, "Not connected. Try again when there is a connection."),
            (AgentErrors.unauthorized, "Sign in to the account first."),
            (AgentErrors.signedOut, "Sign in to the account first."),
            (.invalidArgs, "This value is not possible. A time is written as 09:30."),
            (.limitsExceeded, "That is too much at once. Choose less, or try again in a moment."),
            // What a link or a service says is for people.
            (AgentErrors.notOpened, "Reason of x.y.z"), (AgentErrors.rejected, "Reason of x.y.z"),
        ]
    )
    func sentences(name: ErrorName, sentence: String) {
        #expect(RequestFailure.sentence(DBusError(name, "Reason of x.y.z")) == sentence)
    }

    @Test(
        "A search that is not possible says what to search for",
        arguments: [
            (ErrorName.invalidArgs, "a letter, a digit or a symbol"), (.limitsExceeded, "longer words"),
            (AgentErrors.notSupported, "Open Preferences, then Settings"), (AgentErrors.offline, "Not connected."),
        ]
    )
    func searches(name: ErrorName, part: String) {
        #expect(RequestFailure.sentence(DBusError(name, "x"), ofSearch: true).contains(part))
    }

    @Test("While the agent does not answer, the window says what to do, and has no button that can do nothing")
    func silent() {
        let sentence = "Feedbell does not answer. If this lasts, log out and log in again."
        var page = PageFixture([])
        _ = page.send(.agent(.silent))
        #expect(page.notice?.text == sentence && page.notice?.button == nil && page.send(.retry) == [])
        #expect(page.page.banners == [])
        page = PageFixture([PageFixture.account("work")], [[PageFixture.notification("1")]])
        _ = page.send(.agent(.silent))
        #expect(page.page.banners.map(\.text) == [sentence] && page.page.banners.map(\.button) == [nil])
        #expect(page.page.contents == .list)
    }

    @Test("Without a desktop session, the window says what to do, and has no button that can do nothing")
    func noSession() {
        var page = PageFixture([])
        _ = page.send(.agent(.noSession(RequestFailure.noSession)))
        #expect(page.notice?.text.hasPrefix("Feedbell needs a desktop session.") == true)
        #expect(page.notice?.button == nil)
        #expect(page.send(.retry) == [])
        page = PageFixture([PageFixture.account("work")], [[PageFixture.notification("1")]])
        _ = page.send(.agent(.noSession(RequestFailure.sessionEnded)))
        #expect(page.page.banners.map(\.button) == [nil] && page.page.contents == .list)
    }
}
