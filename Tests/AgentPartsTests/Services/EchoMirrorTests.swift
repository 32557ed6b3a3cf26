import Basics
import ClientKit
import Inbox
import Testing

/// The newest part of an inbox, and the connection that keeps it up to date, as values.
@Suite struct EchoMirrorTests {
    private func row(_ number: Int, read: Timestamp? = nil) -> Notification {
        Notification(id: NotificationID("n\(number)"), created: Timestamp(milliseconds: Int64(number)), read: read)
    }

    private func page(_ numbers: some Sequence<Int>, hasMore: Bool = false) -> EchoAnswer {
        EchoAnswer(notifications: numbers.map { row($0) }, hasMore: hasMore, counts: Counts(total: 9))
    }

    @Test("After a reconnect, missing notifications are removed, and those below the page unloaded") func reload() {
        var mirror = EchoMirror()
        #expect(
            mirror.load(page([4, 3, 2, 1])) == [
                .contents(InboxUpdate(changed: [4, 3, 2, 1].map { row($0) }, counts: Counts(total: 9))),
                .caughtUp(Timestamp(milliseconds: 4)),
            ]
        )
        let update = InboxUpdate(
            changed: [row(6), row(5)],
            removed: ["n3"],
            unloaded: ["n1"],
            counts: Counts(total: 9),
            hasMore: true
        )
        #expect(
            mirror.load(page([6, 5, 4, 2], hasMore: true)) == [
                .contents(update), .arrived([row(5), row(6)], isCatchUp: true), .caughtUp(Timestamp(milliseconds: 6)),
            ]
        )
    }

    @Test("What a previous run has shown, and what is read, does not arrive again") func marks() {
        var mirror = EchoMirror()
        mirror.resume(
            after: DeliveryMarks(watermark: Timestamp(milliseconds: 1), shown: ["n2": Timestamp(milliseconds: 2)])
        )
        var answer = page([4, 3, 2, 1])
        answer.notifications[0].read = Timestamp(milliseconds: 9)
        #expect(mirror.load(answer).contains(.arrived([row(3)], isCatchUp: true)))
        #expect(mirror.receive(.added(page([3]))).count == 1)
    }

    @Test("The oldest notifications make room for new ones; a change of an older one does not load it") func excess() {
        var mirror = EchoMirror()
        _ = mirror.load(page((1...EchoMirror.size).reversed()))
        guard case .contents(let update)? = mirror.receive(.added(page([101]))).first else {
            Issue.record("no contents")
            return
        }
        #expect(update.changed == [row(101)] && update.unloaded == ["n1"] && update.hasMore)
        var old = page([1])
        old.notifications[0].read = Timestamp(milliseconds: 9)
        #expect(
            mirror.receive(.changed(old)) == [
                .contents(InboxUpdate(counts: Counts(total: 9), hasMore: true)), .updated(old.notifications[0]),
            ]
        )
    }

    @Test("A connection ends when the service is silent, and pings before") func silence() {
        var session = EchoSession(token: "echo-1")
        #expect(
            session.receive(.opened) == [
                .send("{\"token\":\"echo-1\"}"), .startTimer(.liveness, after: EchoSession.timeout),
            ]
        )
        #expect(
            session.receive(.text("{\"type\":\"ready\"}")) == [
                .output(.joined), .startTimer(.liveness, after: EchoSession.pingInterval),
            ]
        )
        #expect(session.receive(.timerFired(.liveness)) == [.ping, .startTimer(.liveness, after: EchoSession.timeout)])
        #expect(session.receive(.pong) == [.startTimer(.liveness, after: EchoSession.pingInterval)])
        _ = session.receive(.timerFired(.liveness))
        #expect(session.receive(.timerFired(.liveness)) == [.close(.silence)])
        #expect(session.receive(.text("{}")).isEmpty)
    }
}
