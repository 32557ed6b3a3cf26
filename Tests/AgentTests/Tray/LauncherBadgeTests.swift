import Testing

@testable import Agent

@Suite struct LauncherBadgeTests {
    private func contents(_ count: Int) -> LauncherBadge.Contents { LauncherBadge.Contents(count: count) }

    @Test("A badge is sent where a program reads it, and again to the next one") func readers() {
        var badge = LauncherBadge()
        #expect(badge.receive(.setting(.auto), now: .zero) == [])
        #expect(badge.receive(.changed(contents(3)), now: .zero) == [])
        #expect(badge.receive(.reader(exists: true), now: .seconds(1)) == [.send(contents(3))])
        #expect(badge.receive(.changed(contents(3)), now: .seconds(2)) == [])
        #expect(badge.receive(.reader(exists: false), now: .seconds(3)) == [])
        #expect(badge.receive(.changed(contents(4)), now: .seconds(4)) == [])
        #expect(badge.receive(.reader(exists: true), now: .seconds(5)) == [.send(contents(4))])
    }

    @Test("At most one badge is sent in a second, the newest") func spacing() {
        var badge = LauncherBadge()
        _ = badge.receive(.setting(.always), now: .zero)
        #expect(badge.receive(.changed(contents(1)), now: .zero) == [.send(contents(1))])
        #expect(badge.receive(.changed(contents(2)), now: .milliseconds(400)) == [.wait(.milliseconds(600))])
        #expect(badge.receive(.changed(contents(3)), now: .milliseconds(500)) == [])
        #expect(badge.receive(.waited, now: .seconds(1)) == [.send(contents(3))])
        #expect(badge.receive(.changed(contents(4)), now: .milliseconds(1100)) == [.wait(.milliseconds(900))])
        #expect(badge.receive(.changed(contents(3)), now: .milliseconds(1200)) == [])
        #expect(badge.receive(.waited, now: .seconds(2)) == [])
    }

    @Test("Turning the badge off removes it") func off() {
        var badge = LauncherBadge()
        _ = badge.receive(.setting(.always), now: .zero)
        _ = badge.receive(.changed(contents(1)), now: .zero)
        #expect(badge.receive(.setting(.never), now: .seconds(5)) == [.send(contents(0))])
        #expect(badge.receive(.changed(contents(2)), now: .seconds(9)) == [])
    }

    @Test("No badge is sent at the start without unread notifications") func nothingUnread() {
        var badge = LauncherBadge()
        #expect(badge.receive(.setting(.always), now: .zero) == [])
        #expect(badge.receive(.reader(exists: true), now: .zero) == [])
        #expect(badge.receive(.changed(contents(0)), now: .zero) == [])
    }
}
