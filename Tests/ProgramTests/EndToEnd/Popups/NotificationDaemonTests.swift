import AgentInterface
import AgentTestSupport
import DBus
import FoundationEssentials
import Sandbox
import Subprocess
import TestSupport
import Testing

/// A real notification server that keeps every popup that was left to time out, and refuses the 22nd.
@Suite(.sessionBus, .sandbox(users: ["anna"]), .timeLimit(.minutes(5)), .enabled(if: NotificationDaemon.isInstalled))
struct NotificationDaemonTests {
    private let sandbox = Sandbox.current

    private func withAgent(_ body: (BuiltAgent, Proxy) async throws -> Void) async throws {
        let configuration = AgentConfiguration.account()
        try await TemporaryFile.with(configuration + "[popups]\ngroup_above = 100\ntimeout = \"never\"\n") { file in
            try await withServer(file.directory) { server in
                try await BuiltAgent.keepingState(beside: file) { agent in
                    try await agent.account.wait(AgentAccount.state, is: "online")
                    try await sandbox.waitForConnection()
                    try await body(agent, server)
                }
            }
        }
    }

    @Test("Of more popups than notification-daemon keeps, the oldest are closed") func moreThanItKeeps() async throws {
        try await withAgent { agent, server in
            let signals = try await server.signals(of: FreedesktopNotifications.self)
            for number in 1...30 {
                _ = try await sandbox.publish(["header": .string("Nr \(number)"), "text": "x"])
                try await agent.program.wait(for: "popup shown", times: number)
            }
            let log = agent.program.log
            let shown = log.filter { $0.contains("popup shown") }.compactMap { line in
                line.split(separator: "=").last.flatMap { UInt32($0.prefix(while: \.isNumber)) }
            }
            let rejected = log.count { $0.contains("MaxNotificationsExceeded") }
            #expect(shown.count == 30 && rejected >= 9)
            var closed: [UInt32] = []
            while closed.count < rejected {
                let closing = try await signals.pick { try FreedesktopNotifications.notificationClosed.decode($0) }
                let (id, reason) = try #require(closing)
                #expect(reason == 3)
                closed.append(id)
            }
            #expect(closed == Array(shown.prefix(rejected)))
        }
    }

    @Test("When it has no room for another reason, status reports that popups are rejected") func fullOfOthers()
        async throws
    {
        try await withAgent { agent, server in
            var isFull = false
            while !isFull {
                do throws(DBusError) {
                    _ = try await server.call(FreedesktopNotifications.notify, "other", 0, "", "x", "", [], [:], 0)
                } catch {
                    try #require(error.name == "org.freedesktop.Notifications.MaxNotificationsExceeded")
                    isFull = true
                }
            }
            _ = try await sandbox.publish(["header": "One", "text": "x"])
            try await agent.root.wait(AgentRoot.heldBack, is: ["server-full"])
            let status = try await Programs.output("feedbell", ["status"])
            #expect(status.contains("the notification server rejects further popups"), "\(status)")
        }
    }

    private func withServer(_ home: String, _ body: (Proxy) async throws -> Void) async throws {
        try await VirtualDisplay.with(width: 800, height: 600) { display in
            let environment: [Environment.Key: String?] = ["DISPLAY": display, "HOME": home, "NO_AT_BRIDGE": "1"]
            try await RunningProgram.with(
                "notification-daemon",
                [],
                environment: environment,
                searching: [NotificationDaemon.directory]
            ) { _ in
                try await withBus { bus in
                    try await bus.waitForOwner(of: FreedesktopNotifications.busName)
                    try await body(Proxy(bus, FreedesktopNotifications.busName, FreedesktopNotifications.path))
                }
            }
        }
    }
}

private enum NotificationDaemon {
    static let directory = "/usr/lib/notification-daemon"

    static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: directory + "/notification-daemon") }
}
