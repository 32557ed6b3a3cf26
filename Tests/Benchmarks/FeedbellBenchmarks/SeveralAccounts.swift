import AgentInterface
import DBus
import Sandbox

/// The memory of an agent with accounts at both services, and what one more account of each costs.
struct SeveralAccounts {
    let program: AgentProgram

    func measure(into table: Table) async throws {
        let one = try await rest(suprSend: 1, magicBell: 0)
        let two = try await rest(suprSend: 2, magicBell: 0)
        let both = try await rest(suprSend: 1, magicBell: 1)
        let three = try await rest(suprSend: 1, magicBell: 2)
        let what = "agent, one account of each service, idle"
        try table.add(
            "\(what): RSS",
            .megabytes(kilobytes: both.resident),
            beside: "one account at SuprSend: \(Figure.megabytes(kilobytes: one.resident).text)",
            .idleMemoryOfBoth
        )
        try table.add("\(what): private dirty", .megabytes(kilobytes: both.privateDirty))
        try table.add("\(what): threads", .count(both.threads), .idleThreads)
        func add(_ service: String, _ more: Rest, than less: Rest) throws {
            try table.add(
                "agent, idle: RSS of one more account at \(service)",
                .megabytes(kilobytes: more.resident - less.resident, mayBeZero: true),
                beside:
                    "wake-ups \(Figure(more.wakeUps - less.wakeUps, .perMinute, mayBeZero: true).text), with the pings"
            )
        }
        try add("SuprSend", two, than: one)
        try add("MagicBell", three, than: both)
    }

    private struct Rest {
        var resident: Int
        var privateDirty: Int
        var threads: Int
        /// A minute, with the pings of the services.
        var wakeUps: Double
    }

    private func rest(suprSend: Int, magicBell: Int) async throws -> Rest {
        let users = (0..<suprSend).map { "user-\($0 + 1)" }
        let others = (0..<magicBell).map { "user-\($0 + 1)" }
        var options = AgentProgram.Options()
        options.users = [:]
        for (number, user) in users.enumerated() {
            options.users[number == 0 ? AgentProgram.account : "\(AgentProgram.account)-\(number)"] = user
        }
        return try await Desktop.with { desktop in
            try await Sandbox.with(SandboxOptions(users: users, requireToken: false)) { sandbox in
                let second = SandboxOptions(service: .magicBell(MagicBellOptions(users: others)))
                return try await Sandbox.with(second) { other in
                    options.magicBell = Dictionary(uniqueKeysWithValues: others.map { ("home-\($0)", $0) })
                    options.magicBellPort = other.port
                    let watch = try await desktop.watchAgent()
                    let agent = try program.start(port: sandbox.port, options)
                    _ = try await watch.appearance()
                    for account in options.magicBell.keys { try await online(account, desktop) }
                    // Work that the start left ends meanwhile.
                    try await Task.sleep(for: .seconds(7))
                    let figures = ProcessFigures(pid: agent.pid)
                    let before = try figures.contextSwitches.values.reduce(0) { $0 + $1.voluntary }
                    try await Task.sleep(for: .seconds(30))
                    let after = try figures.contextSwitches.values.reduce(0) { $0 + $1.voluntary }
                    let (memory, threads) = (try figures.memory, try figures.threads)
                    agent.end()
                    return Rest(
                        resident: memory.resident,
                        privateDirty: memory.privateDirty,
                        threads: threads,
                        wakeUps: Double(after - before) * 2
                    )
                }
            }
        }
    }

    /// Waits until an account is connected.
    private func online(_ account: String, _ desktop: Desktop) async throws {
        for _ in 0..<600 {
            let state = try? await desktop.proxy(of: account).get(AgentAccount.state, autoStart: false)
            if state == AgentWatch.online { return }
            try await Task.sleep(for: .milliseconds(100))
        }
        throw Child.Failure(description: "the account \(account) was not online after a minute")
    }
}
