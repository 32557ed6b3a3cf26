import AgentInterface
import AgentTestSupport
import DBus
import Foundation
import Sandbox
import TestSupport
import Testing

/// The system's time zone changes while a program runs.
@Suite(.sessionBus, .builtAgent(), .timeLimit(.minutes(5))) struct TimeZoneTests {
    private let agent = BuiltAgent.current

    /// A file of a time zone that is always this far ahead of UTC (RFC 8536, version 1).
    private static func zone(minutes: Int32) -> Data {
        var file = Data("TZif".utf8) + Data(count: 16)
        func append(_ number: UInt32) { withUnsafeBytes(of: number.bigEndian) { file.append(contentsOf: $0) } }
        // The numbers of indicators, leap seconds and transitions, then one type and the length of its name.
        for count: UInt32 in [0, 0, 0, 0, 1, 4] { append(count) }
        append(UInt32(bitPattern: minutes * 60))
        return file + Data([0, 0]) + Data("ABC\0".utf8)
    }

    private static func time(_ milliseconds: Int64, minutes: Int32) -> String {
        let minute = (Int(milliseconds / 60_000) + Int(minutes)) % 1440
        func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(padded(minute / 60)):\(padded(minute % 60))"
    }

    @Test(
        "feedbell inbox shows the times of a new time zone at once",
        .enabled(if: isRoot, "needs root: gives the program another /etc/localtime")
    ) func inbox() async throws {
        _ = try await Sandbox.current.publish(["header": "One", "text": "x"])
        try await agent.waitForList(count: 1)
        let listed = try await agent.account.call(AgentInbox.list, [:])
        let created = NotificationRecord(try #require(listed.first)).created
        try await TemporaryFile.with("") { file in
            let directory = file.directory
            for minutes: Int32 in [330, -240] {
                try Self.zone(minutes: minutes).write(to: URL(filePath: "\(directory)/zone\(minutes)"))
            }
            let script = """
                unset TZ; cp -a /etc \(directory)/etc && ln -sfn \(directory)/zone330 \(directory)/etc/localtime && \
                mount --bind \(directory)/etc /etc && exec \(try Programs.directory)/feedbell inbox
                """
            let terminal = try PseudoTerminal("/usr/bin/unshare", ["-m", "sh", "-c", script], columns: 80)
            try await terminal.wait(for: Self.time(created, minutes: 330))
            // As timedatectl(1) does: one link takes the place of the other.
            let link = "\(directory)/etc/localtime"
            try FileManager.default.createSymbolicLink(
                atPath: link + ".new",
                withDestinationPath: "\(directory)/zone-240"
            )
            #expect(rename(link + ".new", link) == 0)
            try await terminal.wait(for: Self.time(created, minutes: -240))
            terminal.type("q")
            #expect(try await terminal.end().status == 0)
        }
    }
}
