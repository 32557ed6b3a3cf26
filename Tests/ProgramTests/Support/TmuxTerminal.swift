import AgentTestSupport
import FoundationEssentials
import Subprocess
import TestSupport
import Testing

/// A program in a terminal of tmux(1), whose screen is text.
struct TmuxTerminal {
    private let socket: String

    /// Runs `body` beside the program in a terminal of this size.
    static func with(
        _ program: [String],
        columns: Int,
        rows: Int,
        _ body: (TmuxTerminal) async throws -> Void
    ) async throws {
        try await TemporaryFile.with("") { file in
            let terminal = TmuxTerminal(socket: file.directory + "/tmux")
            let variables = [
                "DBUS_SESSION_BUS_ADDRESS=\(SessionBus.address)", "FEEDBELL_TIMEOUT=60", "TZ=UTC", "LC_ALL=C.UTF-8",
            ]
            let path = try Programs.directory + "/" + program[0]
            let command = ["env"] + variables + [path] + program.dropFirst()
            // A server of its own, which ends with the test.
            _ = try await RunningProgram.with("tmux", ["-D", "-u", "-f", "/dev/null", "-S", terminal.socket]) { _ in
                try await terminal.waitForServer()
                let size = ["-x", "\(columns)", "-y", "\(rows)"]
                // Without the status line, the program has all rows.
                try await terminal.tmux(
                    ["set", "-g", "status", "off", ";", "new-session", "-d"] + size + command
                )
                try await body(terminal)
            }
        }
    }

    /// Waits until the server accepts connections, a moment after its socket is there.
    private func waitForServer() async throws {
        try await waiting(for: "tmux") {
            try await Programs.run("tmux", ["-N", "-S", socket, "start-server"]).status.isSuccess
        }
    }

    /// Presses keys: names as of tmux, or characters.
    func press(_ keys: String...) async throws { try await tmux(["send-keys"] + keys) }

    /// The screen once it contains the text, without spaces at the ends of lines.
    func screen(with text: String, sourceLocation: SourceLocation = #_sourceLocation) async throws -> String {
        try await waiting(for: "a screen with \"\(text)\"", every: .milliseconds(10), sourceLocation: sourceLocation) {
            try await tmux(["capture-pane", "-p"])
        } until: {
            $0.contains(text)
        }
    }

    /// The position of the cursor, also a hidden one: row and column from 0.
    func cursor() async throws -> [Int] {
        try await tmux(["display-message", "-p", "#{cursor_y} #{cursor_x}"]).split(whereSeparator: \.isWhitespace)
            .compactMap { Int($0) }
    }

    @discardableResult
    private func tmux(_ arguments: [String]) async throws -> String {
        let outcome = try await Programs.run("tmux", ["-N", "-u", "-S", socket] + arguments)
        try #require(outcome.status == .exited(0), "\(arguments): \(outcome.errors)")
        return outcome.output
    }
}
