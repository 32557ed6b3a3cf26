import Basics
import Inbox
import TestSupport
import Testing

/// Times of notifications may be any 64 bits.
@Suite("Popups: times at the limits") struct PopupTimeTests {
    private static let limits: [Int64] = [.min, -1, 0, 1_754_346_745_613_000, .max]
    private let now = Timestamp(milliseconds: 1_754_346_745_613)

    private func driver() -> PopupsDriver {
        var driver = PopupsDriver(server: nil)
        driver.now = now
        driver.receive(.serverAppeared(server: "s1", PopupsDriver.features, now: now))
        return driver
    }

    private func notification(_ created: Int64, expires: Int64? = nil, id: String = "odd") -> Notification {
        var notification = Notification(id: NotificationID(id), title: id, created: Timestamp(milliseconds: created))
        notification.expires = expires.map(Timestamp.init(milliseconds:))
        return notification
    }

    @Test("A notification with an extreme time is shown, and the watermark still rises", arguments: limits)
    func isShown(created: Int64) {
        var driver = driver()
        driver.receive(.caughtUp(account: "work", newest: now))
        #expect(driver.answer(driver.arrive([notification(created)]), id: 1) == [])
        #expect(driver.showings["odd"] == 1)
        for minutes in 1...100 {
            driver.now = now.advanced(milliseconds: Int64(minutes) * 60_000)
            driver.receive(.caughtUp(account: "work", newest: driver.now))
        }
        let watermark = driver.marks["work"]?.watermark
        #expect(watermark.map { $0 > now && $0 <= driver.now } == true)
    }

    @Test("A waiting notification with an extreme time keeps the watermark below itself", arguments: limits)
    func waits(created: Int64) {
        var driver = driver()
        driver.receive(.caughtUp(account: "work", newest: now))
        driver.receive(.held(.pause, exceptCritical: false))
        driver.arrive([notification(created)])
        driver.now = now.advanced(milliseconds: 10_000_000)
        driver.receive(.caughtUp(account: "work", newest: driver.now))
        #expect(driver.marks["work"]?.watermark.map { $0 >= now && $0 <= driver.now } == true)
        #expect(driver.receive(.released(.pause, now: driver.now)).headlines == ["odd"])
    }

    @Test("Extreme times of the newest notification do not trap", arguments: limits, limits)
    func newest(first: Int64, second: Int64) {
        var driver = driver()
        for newest in [first, second, first] {
            driver.receive(.caughtUp(account: "work", newest: Timestamp(milliseconds: newest)))
            driver.answer(driver.arrive([notification(first, expires: second, id: "\(newest)")]), id: 1)
        }
        driver.restart()
        driver.receive(.serverAppeared(server: "s1", PopupsDriver.features, now: now))
        driver.receive(.caughtUp(account: "work", newest: now))
        #expect(driver.marks["work"]?.watermark.map { $0 <= now } == true, "a watermark in the future heals")
    }

    @Test("A watermark in the future, written by an earlier version, is lowered and stays low")
    func watermarkInTheFuture() {
        var driver = driver()
        driver.marks = ["work": DeliveryMarks(watermark: Timestamp(milliseconds: 1_754_346_745_613_000))]
        driver.restart()
        driver.receive(.serverAppeared(server: "s1", PopupsDriver.features, now: now))
        driver.receive(.caughtUp(account: "work", newest: now))
        #expect(driver.marks["work"]?.watermark == now)
    }

    @Test("Notifications with future times do not raise the watermark above now, and their number is limited")
    func manyOfTheFuture() {
        var marks = DeliveryMarks(watermark: now)
        let latest = now.advanced(milliseconds: 300_000)
        for number in 0..<2_000 {
            let created = number % 2 == 0 ? Int64.max - Int64(number) : now.milliseconds + Int64(number)
            marks.add(NotificationID("\(number)"), created: Timestamp(milliseconds: created), latest: latest)
        }
        #expect(marks.watermark.map { $0 <= latest } == true)
        #expect(marks.shown.count <= DeliveryMarks.capacity)
    }

    @Test("A very late expiry is waited for in steps", arguments: [Int64.max, 253_402_300_799_999])
    func expiry(expires: Int64) {
        var driver = driver()
        driver.answer(driver.arrive([notification(now.milliseconds, expires: expires)]), id: 1)
        #expect(driver.waits[.expiry] == .seconds(86_400))
        #expect(driver.fire(.expiry) == [], "it stays")
        #expect(driver.waits[.expiry] == .seconds(86_400))
    }

    @Test("The duration between any two moments has the right sign", arguments: limits, limits)
    func durations(from: Int64, to: Int64) {
        let duration = Timestamp(milliseconds: from).duration(to: Timestamp(milliseconds: to))
        #expect((duration < .zero) == (to < from) && (duration == .zero) == (to == from))
        let edge = Timestamp(milliseconds: from).advanced(milliseconds: to)
        #expect(to >= 0 ? edge.milliseconds >= from : edge.milliseconds <= from)
    }
}
