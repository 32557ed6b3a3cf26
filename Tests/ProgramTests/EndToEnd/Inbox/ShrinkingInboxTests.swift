import AgentTestSupport
import Sandbox
import TestSupport
import Testing

/// Notifications leave a long inbox while the agent loads its pages.
@Suite(.sessionBus, .timeLimit(.minutes(5))) struct ShrinkingInboxTests {
    @Test(
        "What moves to a page that is already loaded is shown, too",
        arguments: [TestedService.magicBell, .magicBellToken]
    )
    func missedNotifications(service: TestedService) async throws {
        try await Sandbox.with(service.options) { sandbox in
            // Each notification has a popup of its own.
            let text = service.account(at: sandbox.baseURL) + "[popups]\ngroup_above = 1000\n"
            try await TemporaryFile.with(text) { file in
                try await withBus { bus in
                    let server = TerminalServer(bus: bus)
                    try await server.serving {
                        try await BuiltAgent.recordPresent(beside: file)
                        let titles = (0..<230).map { "Nr \($0)" }
                        _ = try await sandbox.execute(
                            "publish",
                            ["notifications": .array(titles.map { service.fields($0) })]
                        )
                        try await sandbox.execute("shrink-pages", ["by": 3, "times": 3])
                        try await BuiltAgent.keepingState(beside: file) { _ in
                            try await waiting(for: "all popups") {
                                Set(service.rows(in: await sandbox.state).map(\.title))
                                    .subtracting(await server.calls.map(\.summary))
                            } until: {
                                $0.isEmpty
                            }
                        }
                    }
                }
            }
        }
    }
}
