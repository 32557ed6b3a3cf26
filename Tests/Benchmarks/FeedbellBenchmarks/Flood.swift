import AgentInterface
import DBus
import Sandbox

/// Ten thousand notifications in ten seconds: the agent, its popups, and calls to the agent meanwhile.
struct Flood {
    let program: AgentProgram

    private static let count = 10_000
    private static let duration = Duration.seconds(10)
    /// The number of notifications that the service announces at once, repeatedly.
    private static let batch = 10
    /// The interval between calls.
    private static let pace = Duration.milliseconds(20)
    /// How long the agent may take until its numbers are those of the service.
    private static let timeout = Duration.seconds(120)

    func measure(into table: Table, _ desktop: Desktop) async throws {
        try await Sandbox.with(SandboxOptions(requireToken: false)) { sandbox in
            let watch = try await desktop.watchAgent()
            let agent = try program.start(port: sandbox.port)
            _ = try await watch.appearance()
            // A list that is full from the beginning, so that both series ask for the same.
            for number in 0..<20 { try await sandbox.publish(AgentUnderLoad.notification(number)) }
            try await Task.sleep(for: .seconds(7))
            let figures = ProcessFigures(pid: agent.pid)
            let popups = await desktop.popupCount
            let (memory, cpu) = (try figures.memory.resident, try figures.processorTime)

            let calm = try await latencies(of: desktop.account) { try await Task.sleep(for: Self.duration) }
            let start = ContinuousClock.now
            let stormy = try await latencies(of: desktop.account) { try await publish(sandbox) }
            let published = start.duration(to: .now)
            let duration = Figure.seconds(published).text
            try report(stormy, "during \(Self.count) notifications in \(duration)", before: calm, table)
            let counts = try await settle(sandbox, desktop.account, since: start)

            try table.add("the flood: time until the agent's numbers were the service's", .seconds(counts.time))
            table.add(
                "the flood: in the inbox, total and unread, as the agent says",
                text: "\(counts.agent.total), \(counts.agent.unread)",
                beside: "as the service says: \(counts.service.total), \(counts.service.unread)"
            )
            try await Task.sleep(for: .seconds(2))
            try table.add("the flood: popups (`Notify`)", .count(await desktop.popupCount - popups))
            try table.add("the flood: CPU time of the agent", .seconds(try figures.processorTime - cpu))
            let peak = try figures.peakMemory
            let end = Figure.megabytes(kilobytes: try figures.memory.resident)
            let (before, most) = (Figure.megabytes(kilobytes: memory), Figure.megabytes(kilobytes: peak))
            try table.add(
                "the flood: RSS in the end, to that before",
                .ratio(end, to: before),
                beside: "\(end.text); before \(before.text), at its peak \(most.text)",
                .memoryGrowth
            )
            agent.end()
        }
    }

    // MARK: The flood

    private func publish(_ sandbox: Sandbox) async throws {
        let start = ContinuousClock.now
        let batches = Self.count / Self.batch
        for number in 0..<batches {
            try await Task.sleep(until: start + Self.duration * number / batches, clock: .continuous)
            let notifications = (0..<Self.batch).map { AgentUnderLoad.notification(number * Self.batch + $0) }
            _ = try await sandbox.execute("publish", ["notifications": .array(notifications)])
        }
    }

    private struct Counts {
        var agent: (total: Int, unread: Int)
        var service: (total: Int, unread: Int)
        var time: Duration
    }

    private func settle(_ sandbox: Sandbox, _ account: Proxy, since start: ContinuousClock.Instant) async throws
        -> Counts
    {
        while true {
            let rows = await sandbox.inbox().rows
            let counts = Counts(
                agent: (
                    Int(try await account.get(AgentInbox.totalCount)),
                    Int(try await account.get(AgentInbox.unreadCount))
                ),
                service: (rows.count, rows.count { !$0.isRead }),
                time: start.duration(to: .now)
            )
            if counts.agent == counts.service || counts.time > Self.timeout { return counts }
            try await Task.sleep(for: .milliseconds(100))
        }
    }

    // MARK: Calls meanwhile

    private struct Latencies {
        var list: [Duration] = []
        var properties: [Duration] = []
    }

    private enum Question: CaseIterable { case list, properties }

    /// Whether there is still something to be asked during.
    private actor Occasion {
        private(set) var isOver = false
        func end() { isOver = true }
    }

    private func latencies(of account: Proxy, during body: () async throws -> Void) async throws -> Latencies {
        let occasion = Occasion()
        return try await withThrowingTaskGroup(of: Latencies.self) { group in
            group.addTask { try await ask(account, during: occasion) }
            try await body()
            await occasion.end()
            return try await group.next() ?? Latencies()
        }
    }

    /// Calls at a fixed interval, without waiting for earlier answers.
    private func ask(_ account: Proxy, during occasion: Occasion) async throws -> Latencies {
        try await withThrowingTaskGroup(of: (Question, Duration).self) { group in
            let start = ContinuousClock.now
            var number = 0
            while await !occasion.isOver {
                number += 1
                let question = Question.allCases[number % Question.allCases.count]
                group.addTask { (question, try await time(question, account)) }
                try await Task.sleep(until: start + Self.pace * number, clock: .continuous)
            }
            var latencies = Latencies()
            for try await (question, time) in group {
                switch question {
                case .list: latencies.list.append(time)
                case .properties: latencies.properties.append(time)
                }
            }
            return latencies
        }
    }

    private func time(_ question: Question, _ account: Proxy) async throws -> Duration {
        let start = ContinuousClock.now
        switch question {
        case .list: _ = try await account.call(AgentInbox.list, ["limit": .uint32(20)])
        case .properties: _ = try await account.getAll(AgentInbox.self)
        }
        return start.duration(to: .now)
    }

    /// The longest of some hundred calls is a matter of chance, so the budget is about the median.
    private func report(_ latencies: Latencies, _ when: String, before: Latencies, _ table: Table) throws {
        for (name, times, calm) in [
            ("`List` of 20", latencies.list, before.list), ("`GetAll`", latencies.properties, before.properties),
        ] {
            try table.add(
                "\(name), \(times.count) calls \(when): p50, to that of \(calm.count) before",
                .ratio(try times.milliseconds(0.5), to: try calm.milliseconds(0.5)),
                beside: "\(try Self.spread(times)); before \(try Self.spread(calm))",
                .callsInFlood
            )
        }
    }

    private static func spread(_ times: [Duration]) throws -> String {
        let longest = try times.milliseconds(1)
        return "\(try times.milliseconds(0.5).text), p99 \(try times.milliseconds(0.99).text), longest \(longest.text)"
    }
}
