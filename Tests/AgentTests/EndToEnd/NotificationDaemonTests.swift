import AgentInterface
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

    @Test("notification-daemon shows more popups than it keeps") func moreThanItKeeps() async throws {
        let configuration = AgentConfiguration.account()
        try await TemporaryFile.with(configuration + "[popups]\ngroup_above = 100\ntimeout = \"never\"\n") { file in
            try await withServer(file.directory) {
                try await BuiltAgent.keepingState(beside: file) { agent in
                    try await agent.account.wait(AgentAccount.state, is: "online")
                    try await sandbox.waitForConnection()
                    for number in 1...30 {
                        _ = try await sandbox.publish(["header": .string("Nr \(number)"), "text": "x"])
                        try await agent.program.wait(for: "popup shown", times: number)
                    }
                    #expect(agent.program.log.contains { $0.contains("MaxNotificationsExceeded") })
                }
            }
        }
    }

    private func withServer(_ home: String, _ body: () async throws -> Void) async throws {
        try await VirtualDisplay.with(width: 800, height: 600) { display in
            let environment: [Environment.Key: String?] = ["DISPLAY": display, "HOME": home, "NO_AT_BRIDGE": "1"]
            try await RunningProgram.with(
                "notification-daemon",
                [],
                environment: environment,
                searching: [NotificationDaemon.directory]
            ) { _ in
                try await withBus { bus in
                    for await change in try await bus.nameOwnerChanges(of: FreedesktopNotifications.busName)
                    where change.new != nil { break }
                    try await body()
                }
            }
        }
    }
}

private enum NotificationDaemon {
    static let directory = "/usr/lib/notification-daemon"

    static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: directory + "/notification-daemon") }
}
