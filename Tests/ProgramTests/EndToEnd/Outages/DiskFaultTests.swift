import AgentInterface
import AgentTestSupport
import DBus
import FoundationEssentials
import Glibc
import Sandbox
import Subprocess
import TestSupport
import Testing

/// The disk is full, read-only, locked or gone, and the built agent goes on.
@Suite(.sessionBus, .sandbox(users: ["anna"]), .timeLimit(.minutes(5))) struct DiskFaultTests {
    private let sandbox = Sandbox.current

    private static let feed = "/v1/feed/notifications"
    /// FIFREEZE and FITHAW of Linux: writing to the file system waits in between.
    private static let (freeze, thaw) = (0xC004_5877 as UInt, 0xC004_5878 as UInt)

    private struct Scene {
        let sandbox: Sandbox
        let configuration: TemporaryFile
        let bus: Bus
        /// Notifications of the service, unread.
        let ids: [String]

        /// Where agents keep their state.
        var state: String { configuration.directory + "/state/feedbell" }
        var database: String { state + "/feedbell.sqlite3" }

        /// The service takes no actions until ``recover()``.
        func refuse() async throws {
            await sandbox.inject(.status(503, method: "PATCH", path: feed, times: 10_000))
        }

        /// Runs a further agent, and waits until the service knows that these notifications were read.
        func recover(read ids: ArraySlice<String>) async throws {
            try await sandbox.execute("clear-faults")
            try await BuiltAgent.keepingState(beside: configuration) { agent in
                _ = try await sandbox.wait { state in
                    let storedInbox = state.service[InboxKey(user: "anna")]
                    return ids.allSatisfy { storedInbox.row($0)?.isRead == true } ? true : nil
                }
                try await agent.account.wait(AgentAccount.pendingActions, is: 0)
            }
        }
    }

    private func withScene(_ body: (Scene) async throws -> Void) async throws {
        var ids: [String] = []
        for number in 1...4 {
            ids.append(try await sandbox.publish(["header": .string("\(number)"), "text": "x"]))
        }
        try await TemporaryFile.with(AgentConfiguration.account()) { file in
            try await withBus { bus in
                try await body(Scene(sandbox: sandbox, configuration: file, bus: bus, ids: ids))
            }
        }
        #expect(await sandbox.violations.isEmpty)
    }

    private func lines(_ agent: RunningProgram, _ text: String) -> Int { agent.log.count { $0.contains(text) } }

    /// The largest size of a file: as if the disk had no room for another byte.
    private func limit(_ agent: RunningProgram, to bytes: String) async throws {
        let ran = try await Programs.run("prlimit", ["--pid", "\(agent.processID)", "--fsize=\(bytes):"])
        try #require(ran.status == .exited(0), "\(ran.errors)")
    }

    @Test("Actions are kept in memory while the disk rejects writes")
    func writeFailure() async throws {
        try await withScene { scene in
            try await scene.refuse()
            try await BuiltAgent.keepingState(beside: scene.configuration) { agent in
                try await agent.account.call(AgentInbox.markRead, [scene.ids[0]])
                try await limit(agent.program, to: "1")
                try await agent.account.call(AgentInbox.markRead, [scene.ids[1]])
                try await agent.account.call(AgentInbox.markRead, [scene.ids[2]])
                _ = try await agent.program.wait(for: "error: Cannot write \"\(scene.database)\": ")
                #expect(lines(agent.program, "error: Cannot write \"\(scene.database)\"") == 1)
                #expect(try await agent.account.get(AgentAccount.pendingActions) == 3)
                try await limit(agent.program, to: "unlimited")
                try await agent.account.call(AgentInbox.markRead, [scene.ids[3]])
                _ = try await agent.program.wait(for: "notice: \"\(scene.database)\" can be written again.")
                agent.program.send(SIGKILL)
                await agent.program.ended()
            }
            try await scene.recover(read: scene.ids[...])
        }
    }

    /// A state file that cannot grow, and a redo log that still can.
    @Test("Actions of an agent that is killed while the disk is full are sent by the next one") func killedOnFullDisk()
        async throws
    {
        try await withScene { scene in
            try await scene.refuse()
            try await BuiltAgent.keepingState(beside: scene.configuration) { agent in
                try await agent.account.call(AgentInbox.markRead, [scene.ids[0]])
                try await limit(agent.program, to: "3000")
                for id in scene.ids.dropFirst() { try await agent.account.call(AgentInbox.markRead, [id]) }
                _ = try await agent.program.wait(for: "error: Cannot write \"\(scene.database)\": ")
                agent.program.send(SIGKILL)
                await agent.program.ended()
            }
            try await scene.recover(read: scene.ids[...])
        }
    }

    /// An agent that is ended while nothing can be written does not hang, and what was written before is there.
    @Test("The agent ends while the disk rejects writes") func shutdownDuringFailure() async throws {
        try await withScene { scene in
            try await scene.refuse()
            try await BuiltAgent.keepingState(beside: scene.configuration) { agent in
                try await agent.account.call(AgentInbox.markRead, [scene.ids[0]])
                try await limit(agent.program, to: "1")
                try await agent.account.call(AgentInbox.markRead, [scene.ids[1]])
                agent.program.send(SIGTERM)
                await agent.program.ended()
            }
            try await scene.recover(read: scene.ids[..<1])
        }
    }

    @Test("A removed state directory is created again") func removedDirectory() async throws {
        try await withScene { scene in
            try await scene.refuse()
            try await BuiltAgent.keepingState(beside: scene.configuration) { agent in
                try await agent.account.call(AgentInbox.markRead, [scene.ids[0]])
                try FileManager.default.removeItem(atPath: scene.state)
                try await agent.account.call(AgentInbox.markRead, [scene.ids[1]])
                _ = try await agent.program.wait(for: "\" was removed.")
                _ = try await agent.program.wait(for: "\" can be written again.")
                agent.program.send(SIGKILL)
                await agent.program.ended()
            }
            try await scene.recover(read: scene.ids[..<2])
        }
    }

    /// Nothing waits for the program that has locked it.
    @Test("Calls are answered while the state file is locked") func lockedFile() async throws {
        try await withScene { scene in
            try await scene.refuse()
            try await BuiltAgent.keepingState(beside: scene.configuration) { agent in
                try await agent.account.wait(AgentInbox.totalCount, is: UInt32(scene.ids.count))
                try await agent.account.call(AgentInbox.markRead, [scene.ids[0]])
                let lock = """
                    import sqlite3, signal
                    database = sqlite3.connect("\(scene.database)", isolation_level=None)
                    database.execute("BEGIN EXCLUSIVE")
                    print("locked", flush=True)
                    signal.pause()
                    """
                try await RunningProgram.with("python3", ["-c", lock]) { locker in
                    _ = try await locker.wait(for: "locked")
                    async let marked: Void = agent.account.call(AgentInbox.markRead, [scene.ids[1]])
                    #expect(try await !agent.account.call(AgentInbox.list, [:]).isEmpty)
                    try await marked
                    _ = try await agent.program.wait(for: "database is locked")
                    try await agent.account.call(AgentInbox.markRead, [scene.ids[2]])
                    #expect(lines(agent.program, "error: Cannot write") == 1)
                }
                try await agent.account.call(AgentInbox.markRead, [scene.ids[3]])
                _ = try await agent.program.wait(for: "can be written again")
                agent.program.send(SIGKILL)
                await agent.program.ended()
            }
            try await scene.recover(read: scene.ids[...])
        }
    }

    /// A second agent says who runs, and does not look at what the first one keeps.
    @Test("A second agent does not create a state file") func secondAgent() async throws {
        try await withScene { scene in
            try await BuiltAgent.keepingState(beside: scene.configuration) { agent in
                try await agent.account.call(AgentInbox.markRead, [scene.ids[0]])
                let other = scene.configuration.directory + "/other"
                let second = try await Programs.run(
                    "feedbell-agent",
                    ["--config", scene.configuration.path],
                    environment: ["XDG_STATE_HOME": other]
                )
                #expect(second.status == .exited(3))
                #expect(!FileManager.default.fileExists(atPath: other), "\(second.errors)")
            }
        }
    }

    // MARK: In a place of its own

    /// A real disk that is full: a file system of a few pages in memory, that only the agent has.
    @Test(
        "Actions are kept in memory while the disk is full, and written when it has room",
        .enabled(if: isRoot, "needs root: mounts a file system without room")
    ) func fullDisk() async throws {
        try await withScene { scene in
            try await scene.refuse()
            try await withMount("mount -t tmpfs -o size=512k none", scene) { agent, account in
                let place = "/proc/\(agent.processID)/root\(scene.state)"
                try await account.call(AgentInbox.markRead, [scene.ids[0]])
                let filler = Self.fill(place + "/filler")
                #expect(filler > 0)
                for _ in 1...20 { try await account.call(AgentInbox.markUnread, [scene.ids[1]]) }
                for _ in 1...20 {
                    try await account.call(AgentInbox.markRead, [scene.ids[1]])
                    try await account.call(AgentInbox.markUnread, [scene.ids[1]])
                }
                _ = try await agent.wait(for: "Cannot write \"\(scene.database)\": SQLite: ")
                try FileManager.default.removeItem(atPath: place + "/filler")
                try await account.call(AgentInbox.markRead, [scene.ids[1]])
                _ = try await agent.wait(for: "can be written again")
                // The file system ends with the agent: another one gets a copy.
                try FileManager.default.createDirectory(atPath: scene.state, withIntermediateDirectories: true)
                agent.send(SIGSTOP)
                for part in ["", "-wal"] {
                    try Data(contentsOf: URL(filePath: place + "/feedbell.sqlite3" + part))
                        .write(to: URL(filePath: scene.database + part))
                }
                agent.send(SIGKILL)
                await agent.ended()
            }
            try await scene.recover(read: scene.ids[..<2])
        }
    }

    @Test(
        "On a read-only disk actions reach the service, with one error in the log",
        .enabled(if: isRoot, "needs root: mounts a read-only file system")
    ) func readOnlyDisk() async throws {
        try await withScene { scene in
            try await withMount("mount -t tmpfs -o ro,mode=700 none", scene) { agent, account in
                _ = try await agent.wait(for: "error: Cannot use \"")
                try await account.call(AgentInbox.markRead, [scene.ids[0]])
                _ = try await scene.sandbox.wait { state in
                    state.service[InboxKey(user: "anna")].row(scene.ids[0])?.isRead == true ? true : nil
                }
                try await account.wait(AgentAccount.pendingActions, is: 0)
                let errors = agent.log.filter { $0.contains("error: ") }
                #expect(errors.count == 1, "\(errors)")
            }
        }
    }

    @Test(
        "While the disk hangs popups go on, and an action returns and is sent once it is safe",
        .enabled(if: isRoot, "needs root: mounts a file system and freezes it")
    ) func hangingDisk() async throws {
        try await withScene { scene in
            let directory = scene.configuration.directory
            let image = directory + "/image"
            // In a session, the redo log is in memory.
            let runtime = "export XDG_RUNTIME_DIR=\(directory)"
            let mount = "truncate -s 16M \(image) && /sbin/mkfs.ext4 -q \(image) && mount -o loop \(image)"
            let open = "exec feedbell-sandbox notifications < <(exec tail -f --pid=$$ /dev/null)"
            try await RunningProgram.with("bash", ["-c", open]) { terminal in
                _ = try await terminal.wait(for: "Notifications appear here.")
                try await withMount("\(runtime) && \(mount)", scene) { agent, account in
                    try await account.wait(AgentAccount.state, is: "online")
                    try await account.wait(AgentInbox.totalCount, is: UInt32(scene.ids.count))
                    @Sendable func isRead(_ state: SandboxState) -> Bool {
                        state.service[InboxKey(user: "anna")].row(scene.ids[0])?.isRead == true
                    }
                    let disk = Glibc.open("/proc/\(agent.processID)/root\(scene.state)", O_RDONLY)
                    defer { close(disk) }
                    try #require(ioctl(disk, Self.freeze, 0) == 0)
                    async let read: Void = account.call(AgentInbox.markRead, [scene.ids[0]])
                    do {
                        defer { _ = ioctl(disk, Self.thaw, 0) }
                        for title in ["Meanwhile 1", "Meanwhile 2", "Meanwhile 3"] {
                            _ = try await scene.sandbox.publish(["header": .string(title), "text": "x"])
                            _ = try await terminal.wait(for: title)
                        }
                        #expect(!isRead(await scene.sandbox.state))
                    }
                    try await read
                    _ = try await scene.sandbox.wait { isRead($0) ? true : nil }
                }
            }
        }
    }

    /// Runs `body` beside an agent that alone has something else mounted where its state is.
    private func withMount(
        _ mount: String,
        _ scene: Scene,
        _ body: (RunningProgram, Proxy) async throws -> Void
    ) async throws {
        try FileManager.default.createDirectory(atPath: scene.state, withIntermediateDirectories: true)
        let script = "\(mount) \(scene.state) && exec feedbell-agent --config \(scene.configuration.path)"
        let environment: [Environment.Key: String?] = ["XDG_STATE_HOME": scene.configuration.directory + "/state"]
        try await RunningProgram.with("unshare", ["-m", "sh", "-c", script], environment: environment) {
            agent in
            _ = try await agent.wait(for: "ready")
            try await body(agent, Proxy(scene.bus, AgentNames.busName, AgentNames.accountPath("work")))
        }
    }

    /// Makes a file of all the room there is.
    ///
    /// - Returns: its bytes.
    private static func fill(_ path: String) -> Int {
        guard let file = fopen(path, "w") else { return 0 }
        setvbuf(file, nil, _IONBF, 0)
        defer { fclose(file) }
        var bytes = 0
        for size in [4096, 1] {
            let block = [UInt8](repeating: 7, count: size)
            while fwrite(block, 1, size, file) == size { bytes += size }
        }
        return bytes
    }
}
