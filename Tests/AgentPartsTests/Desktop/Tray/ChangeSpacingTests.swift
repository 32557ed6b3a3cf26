import Testing

@testable import Agent

@Suite struct ChangeSpacingTests {
    @Test("The first change is announced at once, the next ones together after the interval") func spacing() {
        var spacing = ChangeSpacing(interval: .seconds(1))
        #expect(spacing.change(at: .seconds(10)) == .announce)
        #expect(spacing.change(at: .milliseconds(10_300)) == .wait(.milliseconds(700)))
        #expect(spacing.change(at: .milliseconds(10_400)) == nil)
        #expect(spacing.change(at: .milliseconds(10_900)) == nil)
        spacing.waited(until: .seconds(11))
        #expect(spacing.change(at: .milliseconds(11_500)) == .wait(.milliseconds(500)))
        spacing.waited(until: .seconds(12))
        #expect(spacing.change(at: .seconds(13)) == .announce)
    }

    @Test("A thousand changes in ten seconds are announced eleven times") func rate() {
        var spacing = ChangeSpacing(interval: .seconds(1))
        var (announcements, end) = (0, Duration?.none)
        for step in 0...1000 {
            let now = Duration.milliseconds(10 * step)
            if let time = end, time <= now {
                spacing.waited(until: time)
                announcements += 1
                end = nil
            }
            switch spacing.change(at: now) {
            case .announce?: announcements += 1
            case .wait(let time)?: end = now + time
            case nil: break
            }
        }
        #expect(announcements == 11)
    }
}
