import AgentInterface
import AgentTestSupport
import DBus
import Sandbox
import TestSupport
import Testing

/// The agent is killed again and again while notifications come, popups are clicked, and things are marked and
/// preferred: in the end the service has every user action, and every notification was shown.
@Suite(.sessionBus, .timeLimit(.minutes(5))) struct ManyKillsTests {
    @Test(
        "About 200 kills lose no action, and repeat at most one popup each",
        arguments: TestedService.allCases,
        KilledSession.Disturbance.allCases
    )
    func killsLoseNothing(service: TestedService, disturbance: KilledSession.Disturbance) async throws {
        try await KilledSession.run(service, disturbance, kills: 17)
    }
}

/// The same with more kills.
@Suite(.sessionBus, .timeLimit(.minutes(5))) struct ManyKillsLongTests {
    @Test(
        "600 kills lose no action, and repeat at most one popup each",
        arguments: TestedService.allCases,
        KilledSession.Disturbance.allCases
    )
    func killsLoseNothing(service: TestedService, disturbance: KilledSession.Disturbance) async throws {
        try await KilledSession.run(service, disturbance, kills: 50)
    }
}

extension KilledSession {
    /// A disturbance besides the kills.
    enum Disturbance: UInt64, Sendable, CaseIterable {
        case none = 1
        /// Two tabs, and a user who looks at one or the other.
        case tabs
        /// A gateway that answers HTML with 404 and 400 for a while, now and then.
        case gateway
        /// Notifications with times at the limits of what a number can hold, in microseconds and nanoseconds.
        case extremeTimes
    }

    /// Runs a session with this number of kills, and checks what is left of it.
    static func run(_ service: TestedService, _ disturbance: Disturbance, kills: Int) async throws {
        try await Sandbox.with(service.options) { sandbox in
            var text = service.account(at: sandbox.baseURL)
            if disturbance == .tabs { text += labels.map { service.tab($0) }.joined() }
            // Each notification has a popup of its own, to be counted.
            try await TemporaryFile.with(text + "[popups]\ngroup_above = 1000\n") { file in
                try await withBus { bus in
                    // A popup stays until the agent closes it: a click that is not answered is made again.
                    let server = TerminalServer(bus: bus, keepsInvoked: true)
                    try await server.serving {
                        try await KilledSession(service, sandbox, server, bus, file, disturbance).run(kills: kills)
                    }
                }
            }
            #expect(await sandbox.violations.isEmpty)
        }
    }
}
