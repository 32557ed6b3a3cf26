import Inbox
import Testing

@Suite struct OutboxTests {
    let one = MadeChange(.interacted("1"), at: Timestamp(milliseconds: 1))
    let two = MadeChange(.interacted("2"), at: Timestamp(milliseconds: 2))
    let down = ProviderFailure(.transient, "down")

    @Test func oneAfterTheOther() {
        var outbox = Outbox()
        #expect(outbox.receive(.submitted(one)) == [.send(one)])
        #expect(outbox.receive(.submitted(two)) == [])
        #expect(outbox.receive(.submitted(one)) == [], "already in work")
        #expect(outbox.count == 2)
        #expect(outbox.receive(.confirmed) == [.send(two)])
        #expect(outbox.receive(.confirmed) == [])
        #expect(outbox.count == 0)
    }

    @Test func triesAgainInOrderWithGrowingWaits() {
        var outbox = Outbox()
        _ = outbox.receive(.submitted(one))
        #expect(outbox.receive(.failed(down, jitter: 1)) == [.wait(.seconds(1))])
        #expect(outbox.receive(.submitted(two)) == [], "order is kept while waiting")
        #expect(outbox.receive(.retry) == [.send(one)])
        #expect(outbox.receive(.failed(down, jitter: 0)) == [.wait(.seconds(1))])
        #expect(outbox.receive(.retry) == [.send(one)])
        for _ in 0..<20 {
            _ = outbox.receive(.failed(down, jitter: 1))
            _ = outbox.receive(.retry)
        }
        #expect(outbox.receive(.failed(down, jitter: 1)) == [.wait(.seconds(300))])
        #expect(outbox.receive(.retry) == [.send(one)])
        #expect(outbox.receive(.confirmed) == [.send(two)])
        #expect(outbox.receive(.failed(down, jitter: 1)) == [.wait(.seconds(1))], "a success resets the waits")
    }

    @Test func refusalsAreReportedAndDoNotBlock() {
        var outbox = Outbox()
        let refused = ProviderFailure(.rejected, "no")
        _ = outbox.receive(.submitted(one))
        _ = outbox.receive(.submitted(two))
        #expect(outbox.receive(.failed(refused, jitter: 0)) == [.rejected(one, refused), .send(two)])
    }

    @Test func theLastChangeToANotificationCounts() {
        func made(_ change: Change) -> Outbox.Event { .submitted(MadeChange(change, at: Timestamp(milliseconds: 3))) }
        var outbox = Outbox()
        _ = outbox.receive(.submitted(one))
        for change in [
            Change.read("1"), .read("1"), .unread("1"), .read("2"), .read("1"), .seen(["1", "2"]), .allRead,
        ] {
            _ = outbox.receive(made(change))
        }
        _ = outbox.receive(made(.allRead))
        #expect(
            outbox.changes.map(\.change) == [
                .interacted("1"), .read("1"), .unread("1"), .read("2"), .read("1"), .seen(["1", "2"]), .allRead,
            ]
        )
    }

    @Test func strayEventsMeanNothing() {
        var outbox = Outbox()
        #expect(outbox.receive(.confirmed) == [])
        #expect(outbox.receive(.failed(down, jitter: 5)) == [])
        #expect(outbox.receive(.retry) == [])
    }
}
