import Basics
import Testing

@testable import Inbox

/// A server that shows popups which look the same as one: it reports the older as expired when it gets the newer.
@Suite struct EqualPopupsTests {
    private typealias Driver = PopupsDriver

    /// Notifications with the same title and text, which are shown one after the other. The end of each popup is
    /// reported before the reply for the next one, or is read after it.
    private static func merging(_ count: Int, isReportedFirst: Bool) -> Driver {
        var driver = Driver()
        for number in 1...count {
            var notification = Driver.notification(number)
            notification.title = "Build failed"
            let request = Popups.Request(number: UInt64(number))
            driver.receive(.arrived(account: "work", [notification], isCatchUp: false, now: driver.now))
            driver.receive(.sent(request))
            if isReportedFirst, number > 1 { merge(UInt32(number - 1), &driver) }
            driver.receive(.shown(request, id: UInt32(number), now: driver.now))
            if !isReportedFirst, number > 1 { merge(UInt32(number - 1), &driver) }
        }
        return driver
    }

    private static func merge(_ id: UInt32, _ driver: inout Driver) {
        #expect(driver.close(id, reason: Popups.expired) == [])
    }

    private static let references = (1...3).map { Driver.reference($0) }

    @Test("The dismissal of a merged popup marks each of its notifications as seen", arguments: [false, true])
    func dismissal(isReportedFirst: Bool) {
        var driver = Self.merging(3, isReportedFirst: isReportedFirst)
        #expect(driver.kept["s1"]?.keys.sorted() == [3])
        #expect(driver.kept["s1"]?[3]?.open.references == Self.references, "also after a restart")
        #expect(driver.close(3, reason: Popups.dismissedByUser) == [.respond(.seen(Self.references))])
    }

    @Test("A computer that is busy for a second merges popups, too") func busy() {
        var driver = Self.merging(1, isReportedFirst: false)
        var notification = Driver.notification(2)
        notification.title = "Build failed"
        driver.answer(driver.arrive([notification]), id: 2)
        driver.now = driver.now.advanced(milliseconds: 1_000)
        let closed = ServerSignal(server: "s1", id: 1, .closed(Popups.expired))
        #expect(driver.receive(.signal(closed, isBesideReply: true, now: driver.now)) == [])
        #expect(driver.close(2, reason: Popups.dismissedByUser) == [.respond(.seen(Array(Self.references.prefix(2))))])
    }

    @Test("A merged popup stays until the last of its notifications is read", arguments: [false, true])
    func read(isReportedFirst: Bool) {
        var driver = Self.merging(3, isReportedFirst: isReportedFirst)
        #expect(driver.receive(.read(Self.references[2])) == [])
        #expect(driver.receive(.read(Self.references[0])) == [])
        #expect(driver.receive(.read(Self.references[1])) == [.close(id: 3)])
    }

    @Test("A click on a merged popup opens the link of the newest notification, and marks the others as seen")
    func click() {
        var driver = Self.merging(3, isReportedFirst: true)
        #expect(
            driver.invoke(3) == [
                .respond(.seen(Array(Self.references.prefix(2)))),
                .respond(.activated(Self.references[2], Driver.url(3), token: nil)), .close(id: 3),
            ]
        )
    }

    @Test("A summary counts the notifications of merged popups", arguments: [false, true])
    func summary(isReportedFirst: Bool) {
        var driver = Self.merging(3, isReportedFirst: isReportedFirst)
        driver.arrive(Array(4...12).map { Driver.notification($0) })
        let summary = driver.fire(.burst)
        #expect(summary.headlines == ["12 new notifications"])
        #expect(summary.replaced == [3])
    }

    @Test("A popup that expires beside one that looks different is not merged with it") func different() {
        var driver = Driver()
        driver.show(1)
        driver.now = driver.now.advanced(milliseconds: 1_000)
        let next = driver.arrive(2)
        driver.receive(.sent(next.requests[0]))
        _ = driver.close(1, reason: Popups.expired)
        driver.answer(next, id: 2)
        #expect(driver.close(2, reason: Popups.dismissedByUser) == [.respond(.seen([Driver.reference(2)]))])
    }
}
