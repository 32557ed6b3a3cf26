import AgentInterface
import DBus
import Sandbox

/// How long an agent needs to be online again, by itself, after its connection was lost without a word.
struct Reconnection {
    let program: AgentProgram
    let isQuick: Bool

    /// Accounts that lose their connections in the same moment. Each draws its own delay.
    private var accounts: Int { isQuick ? 20 : 100 }

    func measure(into table: Table) async throws {
        for (drop, words) in [("reset", "a reset"), ("finish", "an end of file")] {
            let times = try await Desktop.with { desktop in try await losses(by: drop, desktop) }
            guard let mean = times.mean, let longest = times.max(), let shortest = times.min() else {
                throw Child.Failure(description: "no account was back after \(words)")
            }
            let what = "connection lost by \(words) to `online`, \(times.count) losses"
            try table.add("\(what): mean", .seconds(mean), .returnMean)
            let beside = "the shortest \(Figure.seconds(shortest).text)"
            try table.add("\(what): longest", .seconds(longest), beside: beside)
        }
    }

    /// - Returns: The time until an account was online again, for each.
    private func losses(by drop: String, _ desktop: Desktop) async throws -> [Duration] {
        let names = (1...accounts).map { "a\($0)" }
        let users = Dictionary(uniqueKeysWithValues: names.map { ($0, "user-\($0)") })
        let options = SandboxOptions(users: Array(users.values), requireToken: false)
        return try await Sandbox.with(options) { sandbox in
            let watch = try await desktop.watchAgent()
            let agent = try program.start(port: sandbox.port, .init(users: users))
            for await change in watch.owners where change.new != nil { break }
            let paths = names.map(AgentNames.accountPath)
            for path in paths { try await waitUntilOnline(Proxy(desktop.bus, AgentNames.busName, path)) }

            let rule = MatchRule(
                sender: AgentNames.busName,
                pathNamespace: AgentNames.agentPath,
                interface: PropertiesInterface.name
            )
            let changes = try await desktop.bus.signals(matching: rule, buffering: .unbounded)
            let start = ContinuousClock.now
            _ = try await sandbox.execute("drop", ["how": .string(drop)])
            var missing = Set(paths)
            var times: [Duration] = []
            for await message in changes {
                guard let values = try PropertyValues<AgentAccount>(changedIn: message),
                    try values.value(AgentAccount.state) == AgentWatch.online, let path = message.path,
                    missing.remove(path) != nil
                else { continue }
                times.append(start.duration(to: .now))
                if missing.isEmpty { break }
            }
            agent.end()
            return times
        }
    }

    private func waitUntilOnline(_ account: Proxy) async throws {
        for _ in 0..<500 {
            // The object may come a little after the bus name.
            if (try? await account.get(AgentAccount.state, autoStart: false)) == AgentWatch.online { return }
            try await Task.sleep(for: .milliseconds(20))
        }
        throw Child.Failure(description: "\(account.path) did not connect")
    }
}
