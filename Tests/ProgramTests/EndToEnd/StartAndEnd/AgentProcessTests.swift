import AgentInterface
import AgentTestSupport
import DBus
import FoundationEssentials
import Glibc
import Sandbox
import TestSupport
import Testing

/// The agent as a process outside of its systemd unit: descriptors, limits, standard error.
@Suite(.sessionBus, .timeLimit(.minutes(5))) struct AgentProcessTests {
    /// Runs an agent without accounts, started by a shell script that ends with `exec`.
    private static func started(
        by script: String,
        _ body: (TemporaryFile, RunningProgram) async throws -> Void
    ) async throws {
        try await TemporaryFile.with("") { file in
            let words = ["-c", script + " feedbell-agent --config \"$0\"", file.path]
            try await RunningProgram.with("sh", words) { program in
                try await withBus { bus in try await bus.waitForAgent() }
                try await body(file, program)
            }
        }
    }

    @Test("The agent writes no core files, but programs that it starts may be allowed to")
    func coreFiles() async throws {
        try await Self.started(by: "ulimit -S -c $(ulimit -H -c); ulimit -c >\"$0.limit\"; exec") { file, program in
            let limits = try String(contentsOfFile: "/proc/\(program.processID)/limits", encoding: .utf8)
            let line = try #require(limits.split(separator: "\n").first { $0.hasPrefix("Max core file size") })
            let words = line.split(separator: " ")
            #expect(words[4] == "0")
            let allowed = try String(contentsOfFile: file.path + ".limit", encoding: .utf8)
            #expect(allowed == "0\n" || words[5] != "0")
        }
    }

    @Test("The command writes no core files either, as it asks for tokens") func coreFilesOfTheCommand() async throws {
        let script = "ulimit -S -c $(ulimit -H -c); exec feedbell follow"
        try await RunningProgram.with("sh", ["-c", script]) { program in
            try await Self.waitForNoCoreFiles(program, named: "feedbell")
        }
    }

    /// Waits until a program has disabled its core files.
    static func waitForNoCoreFiles(_ program: RunningProgram, named name: String) async throws {
        func file(_ file: String) throws -> String {
            try String(contentsOfFile: "/proc/\(program.processID)/\(file)", encoding: .utf8)
        }
        try await waiting(for: "the program \(name)", seeing: { try file("comm") }) { $0 == name + "\n" }
        // The number of seconds or bytes follows the words.
        try await waiting(for: "no core files") {
            try file("limits").split(separator: "\n").first { $0.hasPrefix("Max core file size") }
        } until: {
            $0?.split(separator: " ")[4] == "0"
        }
    }

    @Test("The log says that popups are held back, and that they are shown again") func holds() async throws {
        try await BuiltAgent.alone("") { agent in
            try await agent.root.call(AgentRoot.pause, 0)
            #expect(try await agent.program.wait(for: "popups are held back").contains("pause"))
            try await agent.root.call(AgentRoot.resume)
            _ = try await agent.program.wait(for: "popups are shown again")
            #expect(agent.program.log.count { $0.contains("popups are held back") } == 1)
        }
    }

    @Test("A standard error that is full and not read does not stop the agent") func unreadErrors() async throws {
        // A FIFO opened in both directions has a reader that reads nothing.
        let script = """
            mkfifo "$0.fifo"; exec 9<>"$0.fifo"; head -c 65536 /dev/zero >&9; exec 2>&9; exec
            """
        try await Self.started(by: script) { _, _ in }
    }

    @Test(
        "Token commands that leave a process with their output behind cost no descriptor and no thread",
        .sandbox(users: ["anna"])
    )
    func leftProcesses() async throws {
        try await TemporaryFile.with("", named: "processes") { processes in
            defer { for process in Self.processIDs(in: processes) { kill(process, SIGKILL) } }
            // No token: each reconnect runs the command again.
            let script = "sleep 1000 & echo $! >>\(processes.path)"
            let source = "token_command = [\"sh\", \"-c\", \"\(script)\"]\n"
            try await BuiltAgent.alone(AgentConfiguration.account(hasToken: false) + source) { agent in
                func count(_ entries: String) throws -> Int {
                    try FileManager.default.contentsOfDirectory(atPath: "/proc/\(agent.program.processID)/\(entries)")
                        .count
                }
                func reconnect(times: Int) async throws {
                    for _ in 0..<times {
                        let before = Self.processIDs(in: processes).count
                        try await agent.account.call(AgentAccount.reconnect)
                        try await waiting(for: "another process") {
                            Self.processIDs(in: processes).count
                        } until: {
                            $0 != before
                        }
                        try await agent.account.wait(AgentAccount.state, is: "unauthorized")
                    }
                }
                try await agent.account.wait(AgentAccount.state, is: "unauthorized")
                try await reconnect(times: 2)
                let (descriptors, threads) = (try count("fd"), try count("task"))
                try await reconnect(times: 10)
                // A program that is ending has some for a moment.
                try await waiting(for: "at most \(descriptors) descriptors and \(threads) threads") {
                    [try count("fd"), try count("task")]
                } until: {
                    $0[0] <= descriptors && $0[1] <= threads
                }
            }
        }
    }

    private static func processIDs(in file: TemporaryFile) -> [pid_t] {
        let text = (try? String(contentsOfFile: file.path, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").compactMap { pid_t($0) }
    }
}
