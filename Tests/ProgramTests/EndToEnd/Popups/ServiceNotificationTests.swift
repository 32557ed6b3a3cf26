import AgentInterface
import AgentTestSupport
import DBus
import Sandbox
import Subprocess
import TestSupport
import Testing

/// The built agent's reports to a service manager (sd_notify(3)).
@Suite(.sessionBus, .sandbox(users: ["anna"]), .timeLimit(.minutes(5))) struct ServiceNotificationTests {
    @Test("The start, the status, reloads, the watchdog and the end are reported") func reports() async throws {
        let socket = try NotifySocket(isAbstract: true)
        try await TemporaryFile.with(AgentConfiguration.account()) { file in
            try await BuiltAgent.alone(
                file,
                environment: ["NOTIFY_SOCKET": socket.address, "WATCHDOG_USEC": "200000", "WATCHDOG_PID": nil]
            ) { agent in
                try await socket.wait(for: "READY=1")
                try await socket.wait(for: "STATUS=\"work\" is online")
                try await socket.wait(for: "WATCHDOG=1")
                try await agent.root.call(AgentRoot.pause, 0)
                try await socket.wait(for: "STATUS=\"work\" is online; popups are paused")
                try await agent.root.call(AgentRoot.reload)
                let all = await socket.all
                let reload = try #require(all.firstIndex { $0.hasPrefix("RELOADING=1\nMONOTONIC_USEC=") })
                #expect(all[reload...].contains("READY=1"))
                try file.write("nonsense")
                try await socket.wait(for: "not all of the configuration is used, see feedbell status")
            }
        }
        let all = await socket.all
        #expect(all.count { $0 == "STOPPING=1" } == 1 && all.last == "STOPPING=1")
        #expect(all.count { $0 == "READY=1" } == 2)
    }

    @Test("Child processes do not inherit the service manager's variables") func children() async throws {
        let socket = try NotifySocket()
        let token = SandboxToken.make(entityID: "anna", expiresAt: 4_102_444_800)
        let account = AgentConfiguration.account(hasToken: false)
        let script = "env >\"$0\"; echo \(token)"
        try await TemporaryFile.with("", named: "environment") { written in
            let command = "token_command = [\"sh\", \"-c\", \(script.debugDescription), \"\(written.path)\"]\n"
            try await BuiltAgent.alone(
                account + command,
                environment: ["NOTIFY_SOCKET": socket.address, "WATCHDOG_USEC": "60000000"]
            ) { agent in
                try await agent.account.wait(AgentAccount.state, is: "online")
                let names = try written.read().split(separator: "\n").map { $0.prefix { $0 != "=" } }
                #expect(names.contains("PATH"))
                for name in ["NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"] { #expect(!names.contains(name[...])) }
            }
        }
    }
}
