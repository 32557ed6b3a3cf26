import AgentTestSupport
import CLinux
import Foundation
import Glibc
import TestSupport
import Testing

/// A program of the build on a pseudo-terminal (pty(7)), with keys typed by the test.
///
/// Not a Foundation process: it learns of the end by a socket, which the programs of other tests may have inherited.
final class PseudoTerminal {
    private var keyboard: Int32
    private var screen: Int32
    private var process: pid_t = 0
    /// As of wait(2); nil while the program runs.
    private var status: Int32?
    private var bytes: [UInt8] = []

    /// The settings before the program started.
    let before: termios

    /// - Parameter name: The name of a program of the build, or the path of another one.
    init(_ name: String, _ arguments: [String], columns: Int = 60, rows: Int = 10) throws {
        (keyboard, screen) = (-1, -1)
        guard openpty(&keyboard, &screen, nil, nil, nil) == 0 else { throw POSIXError(.ENXIO) }
        for descriptor in [keyboard, screen] { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        var settings = termios()
        tcgetattr(screen, &settings)
        before = settings
        let flags = fcntl(keyboard, F_GETFL)
        _ = fcntl(keyboard, F_SETFL, flags | O_NONBLOCK)
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        let program = name.hasPrefix("/") ? name : try Programs.directory + "/" + name
        let environment = [
            "DBUS_SESSION_BUS_ADDRESS": SessionBus.address, "FEEDBELL_TIMEOUT": "60", "TERM": "xterm", "TZ": "UTC",
            "LC_ALL": "C.UTF-8", "PATH": path,
        ]
        resize(columns: columns, rows: rows)
        // A terminal does not block signals, but the threads of tests do.
        var (none, blocked) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, &blocked)
        defer { pthread_sigmask(SIG_SETMASK, &blocked, nil) }
        try spawn(([program] + arguments).map { strdup($0) }, environment.map { strdup("\($0)=\($1)") })
    }

    private func spawn(_ arguments: [UnsafeMutablePointer<CChar>?], _ environment: [UnsafeMutablePointer<CChar>?])
        throws
    {
        defer { for text in arguments + environment { free(text) } }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for descriptor: Int32 in 0...2 { posix_spawn_file_actions_adddup2(&actions, screen, descriptor) }
        let code = posix_spawn(&process, arguments[0]!, &actions, nil, arguments + [nil], environment + [nil])
        guard code == 0 else { throw POSIXError(POSIXErrorCode(rawValue: code) ?? .ENOENT) }
    }

    private var isRunning: Bool {
        var ended: Int32 = 0
        if status == nil, waitpid(process, &ended, WNOHANG) == process { status = ended }
        return status == nil
    }

    deinit {
        if process > 0, isRunning {
            kill(process, SIGKILL)
            waitpid(process, nil, 0)
        }
        close(keyboard)
        close(screen)
    }

    func resize(columns: Int, rows: Int) {
        var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(screen, UInt(TIOCSWINSZ), &size)
        if process > 0, isRunning { kill(process, SIGWINCH) }
    }

    func type(_ keys: String) {
        let keys = Array(keys.utf8)
        _ = write(keyboard, keys, keys.count)
    }

    func send(_ signal: Int32) { kill(process, signal) }

    /// Everything that was written since the last call, once it contains the text.
    @discardableResult
    func wait(for text: String, sourceLocation: SourceLocation = #_sourceLocation) async throws -> String {
        let written = try await waiting(for: "\"\(text)\"", sourceLocation: sourceLocation, seeing: written) {
            $0.contains(text)
        }
        bytes = []
        return written
    }

    /// The exit status, and what was written since the last call of ``wait(for:)``.
    func end(sourceLocation: SourceLocation = #_sourceLocation) async throws -> (status: Int32, written: String) {
        try await waiting(for: "the program's end", sourceLocation: sourceLocation, seeing: written) { _ in !isRunning }
        let status = status ?? 0
        // The exit status, or the signal.
        return (status & 0x7F == 0 ? status >> 8 : status & 0x7F, written())
    }

    /// Whether the settings are those from before.
    var isRestored: Bool {
        var now = termios()
        tcgetattr(screen, &now)
        return (now.c_lflag, now.c_iflag, now.c_oflag) == (before.c_lflag, before.c_iflag, before.c_oflag)
    }

    private func written() -> String {
        var chunk = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = Glibc.read(keyboard, &chunk, chunk.count)
            guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
            bytes += chunk[..<count]
        }
    }
}
