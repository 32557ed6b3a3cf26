import DBus
import FoundationEssentials
import Glibc
import Sandbox

/// The window beside a plain one of libadwaita, on a display in memory: its start and memory beside an empty window,
/// its frames beside those of a list in C.
struct WindowFigures {
    let programs: String
    let directory: String
    let agent: AgentProgram
    let isQuick: Bool

    private static let size = (width: 700, height: 800)
    /// A key for each frame of a display of 60 Hz, in milliseconds.
    private static let keyInterval = 17
    private static let scrolledRows = 10_000
    /// Six lines in a row of the list.
    private static let longText = Array(
        repeating: "The build of the main branch has ended, and its results are in the report.",
        count: 6
    ).joined(separator: " ")

    private var log: FrameLines { FrameLines(path: "\(directory)/frames") }

    func measure(into table: Table) async throws {
        setenv("GSK_RENDERER", "cairo", 1)
        setenv("GDK_BACKEND", "x11", 1)
        setenv("GTK_A11Y", "none", 1)
        setenv("GSETTINGS_BACKEND", "memory", 1)
        setenv("FEEDBELL_WINDOW_FRAMES", log.path, 1)
        defer { unsetenv("FEEDBELL_WINDOW_FRAMES") }
        let display = try await startDisplay()
        try await withInbox(of: [AgentProgram.account: 25, "other": 25], text: Self.longText) {
            try await starts(table)
        }
        try await withInbox(of: [AgentProgram.account: 100]) { try await keys(table) }
        try await withInbox(of: [AgentProgram.account: 1_000]) { try await memory(table) }
        // An account lists at most half of them.
        try await withInbox(of: [AgentProgram.account: 5_000, "other": 5_000]) { try await scrolling(table) }
        display.end()
    }

    // MARK: Programs

    private func startDisplay() async throws -> Child {
        let output = "\(directory)/display"
        let screen = "\(Self.size.width)x\(Self.size.height)x24"
        let arguments = ["-displayfd", "1", "-screen", "0", screen, "-nolisten", "tcp", "-noreset"]
        let display = try Child("Xvfb", arguments, log: output)
        for _ in 0..<1_000 {
            let text = String(decoding: FileManager.default.contents(atPath: output) ?? Data(), as: UTF8.self)
            if let number = text.split(separator: "\n").lazy.compactMap({ Int($0) }).first {
                setenv("DISPLAY", ":\(number)", 1)
                return display
            }
            try await Task.sleep(for: .milliseconds(10))
        }
        throw Child.Failure(description: "Xvfb did not start")
    }

    /// Runs `body` beside an agent whose accounts have this many notifications.
    ///
    /// - Parameter text: Of each notification; nil: the usual short one.
    private func withInbox<Result: Sendable>(
        of counts: [String: Int],
        text: String? = nil,
        _ body: () async throws -> Result
    ) async throws -> Result {
        let users = Dictionary(uniqueKeysWithValues: counts.keys.sorted().enumerated().map { ($1, "user-\($0 + 1)") })
        return try await Desktop.with { desktop in
            let options = SandboxOptions(users: users.values.sorted(), requireToken: false)
            return try await Sandbox.with(options) { sandbox in
                for (account, count) in counts {
                    try await desktop.fill(sandbox, count, of: users[account] ?? "", text: text)
                }
                let watch = try await desktop.watchAgent()
                let running = try agent.start(port: sandbox.port, .init(pageSize: 100, users: users))
                _ = try await watch.appearance()
                let result = try await body()
                running.end()
                return result
            }
        }
    }

    private struct StartedWindow: ~Copyable {
        let program: Child
        /// To the end of its first frame: ours with rows.
        let time: Duration
    }

    private func startWindow() async throws -> StartedWindow {
        try? FileManager.default.removeItem(atPath: log.path)
        let start = FrameLines.now
        let window = try Child("\(programs)/feedbell-window", [], log: "\(directory)/window.log")
        let frame = try await log.wait(for: "rows") { $0.shownRows > 0 }
        return StartedWindow(program: window, time: .microseconds(frame.time - start))
    }

    /// - Parameter rows: Of its list; 0: it is empty.
    private func startPlainWindow(rows: Int = 0) async throws -> StartedWindow {
        try? FileManager.default.removeItem(atPath: log.path)
        let start = FrameLines.now
        let window = try Child("\(programs)/plain-window", [log.path, "\(rows)"])
        let frame = try await log.wait(for: "frame") { _ in true }
        return StartedWindow(program: window, time: .microseconds(frame.time - start))
    }

    private func operate(_ arguments: String...) throws { _ = try Child("xdotool", arguments).finished() }

    private func focus(_ name: String = "Feedbell") throws {
        try operate("search", "--sync", "--onlyvisible", "--name", name, "windowfocus", "--sync")
    }

    // MARK: Figures

    private func starts(_ table: Table) async throws {
        var (ours, empty): ([Duration], [Duration]) = ([], [])
        for _ in 0..<(isQuick ? 5 : 15) {
            let other = try await startPlainWindow()
            empty.append(other.time)
            other.program.end()
            let own = try await startWindow()
            ours.append(own.time)
            own.program.end()
        }
        let (own, other) = (try ours.milliseconds(0.5), try empty.milliseconds(0.5))
        try table.add(
            "window, start to first frame with rows, two accounts with 50 long texts, median of \(ours.count), to the "
                + "first frame of an empty window",
            .ratio(own, to: other),
            beside: "\(own.text); empty window \(other.text)",
            .windowStart
        )
    }

    private func memory(_ table: Table) async throws {
        let empty = try await startPlainWindow().program
        try await Task.sleep(for: .seconds(2))
        let other = try ProcessFigures(pid: empty.pid).anonymousMemory
        empty.end()
        let window = try await startWindow().program
        try focus()
        try await load(1_000)
        try await Task.sleep(for: .seconds(2))
        let own = try ProcessFigures(pid: window.pid).anonymousMemory
        window.end()
        let (ours, others) = (Figure.megabytes(kilobytes: own), Figure.megabytes(kilobytes: other))
        try table.add(
            "window with 1,000 rows: anonymous memory, to that of an empty window",
            .ratio(ours, to: others),
            beside: "\(ours.text); empty window \(others.text)",
            .windowMemory
        )
    }

    /// Goes to the end of the list, and once more if it lists no further rows for a second, until it has all.
    private func load(_ count: Int) async throws {
        var (rows, pauses) = (0, 0)
        for _ in 0..<4_000 {
            let listed = log.frames.last?.rows ?? 0
            if listed >= count { return }
            if listed != rows { (rows, pauses) = (listed, 1) }
            if pauses % 20 == 0 { try operate("key", "End") }
            pauses += 1
            try await Task.sleep(for: .milliseconds(50))
        }
        throw Child.Failure(description: "the window lists \(rows) of \(count) rows")
    }

    /// The processor time of the main thread for each frame, while a held arrow key scrolls the list row by row.
    ///
    /// Not by the wheel: that of Xvfb sometimes jumps by thousands of rows, also in a plain list of GTK.
    private func scroll(_ window: consuming Child, named name: String, _ count: Int) async throws -> [Duration] {
        try focus(name)
        try await load(count)
        try operate("key", "Home")
        try await Task.sleep(for: .seconds(1))
        let before = log.frames.count
        let steps = 50
        for _ in 0..<(isQuick ? 4 : 12) {
            try operate("key", "--repeat", "\(steps)", "--delay", "\(Self.keyInterval)", "Down")
        }
        try await Task.sleep(for: .milliseconds(500))
        let frames = log.frames.dropFirst(max(0, before - 1))
        window.end()
        guard frames.count > 2 * steps else {
            throw Child.Failure(description: "scrolling has drawn only \(frames.count) frames")
        }
        return zip(frames, frames.dropFirst()).map { .microseconds($1.processorTime - $0.processorTime) }
    }

    /// Measures both windows in turns: by chance of each start, GTK computes the styles of all rows for a frame.
    private func scrolling(_ table: Table) async throws {
        var (own, plain): ([[Duration]], [[Duration]]) = ([], [])
        for _ in 0..<(isQuick ? 1 : 3) {
            own.append(try await scroll(try await startWindow().program, named: "Feedbell", Self.scrolledRows))
            let other = try await startPlainWindow(rows: Self.scrolledRows).program
            plain.append(try await scroll(other, named: "Plain", Self.scrolledRows))
        }
        func median(_ share: Double, _ runs: [[Duration]]) throws -> Figure {
            try runs.compactMap { $0.quantile(share) }.milliseconds(0.5)
        }
        let (ours, others) = (try median(0.99, own), try median(0.99, plain))
        try table.add(
            "window, scrolled through 10,000 rows: CPU for a frame, p99, median of \(own.count) starts, to that of a "
                + "plain list of GTK in C",
            .ratio(ours, to: others),
            beside: "\(ours.text); plain list \(others.text); "
                + "p50 \(try median(0.5, own).text) and \(try median(0.5, plain).text)",
            .windowScrolling
        )
    }

    private func keys(_ table: Table) async throws {
        let window = try await startWindow().program
        try focus()
        try operate("key", "Home")
        try await Task.sleep(for: .seconds(1))
        let before = log.lines.count
        for number in 0..<(isQuick ? 6 : 20) {
            try operate("key", number % 2 == 0 ? "r" : "u")
            try await Task.sleep(for: .milliseconds(300))
        }
        let reactions = try Self.reactions(log.lines[(before - 1)...])
        window.end()
        try table.add(
            "window, key for read or unread to the changed row, \(reactions.count) times: the most frames",
            .count(reactions.map(\.frames).max() ?? 0),
            beside: "p50 \(try reactions.map(\.time).milliseconds(0.5).text), "
                + "longest \(try reactions.map(\.time).milliseconds(1).text)",
            .windowReaction
        )
    }

    /// After each key, the number of frames up to the one with a changed row, and the time to its end.
    private static func reactions(
        _ lines: ArraySlice<FrameLines.Line>
    ) throws -> [(frames: Int, time: Duration)] {
        var reactions: [(frames: Int, time: Duration)] = []
        var changes = 0
        var pressed: (time: Int, frames: Int)?
        for line in lines {
            switch line {
            case .key(let time):
                guard pressed == nil else { throw Child.Failure(description: "a key has changed no row") }
                pressed = (time, 0)
            case .frame(let frame):
                defer { changes = frame.changes }
                guard let key = pressed else { continue }
                if frame.changes > changes {
                    reactions.append((key.frames + 1, .microseconds(frame.time - key.time)))
                    pressed = nil
                } else {
                    pressed?.frames += 1
                }
            }
        }
        return reactions
    }
}
