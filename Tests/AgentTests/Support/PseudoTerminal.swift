import Foundation
import Glibc
import TestSupport

/// A program of the build on a pseudo-terminal (pty(7)), with keys typed by the test.
final class PseudoTerminal {
    private var keyboard: Int32
    private var screen: Int32
    private let program = Process()
    private var bytes: [UInt8] = []

    /// The settings before the program started.
    let before: termios

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
        program.executableURL = URL(filePath: try Programs.directory + "/" + name)
        program.arguments = arguments
        program.environment = [
            "DBUS_SESSION_BUS_ADDRESS": SessionBus.address, "FEEDBELL_TIMEOUT": "60", "TERM": "xterm", "TZ": "UTC",
            "LC_ALL": "C.UTF-8", "PATH": path,
        ]
        let terminal = FileHandle(fileDescriptor: screen)
        (program.standardInput, program.standardOutput, program.standardError) = (terminal, terminal, terminal)
        resize(columns: columns, rows: rows)
        // A terminal does not block signals, but the threads of tests do.
        var (none, blocked) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, &blocked)
        defer { pthread_sigmask(SIG_SETMASK, &blocked, nil) }
        try program.run()
    }

    deinit {
        if program.isRunning { program.terminate() }
        close(keyboard)
        close(screen)
    }

    func resize(columns: Int, rows: Int) {
        var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(screen, UInt(TIOCSWINSZ), &size)
        if program.isRunning { kill(program.processIdentifier, SIGWINCH) }
    }

    func type(_ keys: String) {
        let keys = Array(keys.utf8)
        _ = write(keyboard, keys, keys.count)
    }

    func send(_ signal: Int32) { kill(program.processIdentifier, signal) }

    /// Everything that was written since the last call, once it contains the text.
    @discardableResult
    func wait(for text: String) async throws -> String {
        while true {
            read()
            let written = String(decoding: bytes, as: UTF8.self)
            if written.contains(text) {
                bytes = []
                return written
            }
            try await Task.sleep(for: .milliseconds(5))
        }
    }

    /// The exit status, and what was written since the last call of ``wait(for:)``.
    func end() async throws -> (status: Int32, written: String) {
        while program.isRunning {
            read()
            try await Task.sleep(for: .milliseconds(5))
        }
        read()
        return (program.terminationStatus, String(decoding: bytes, as: UTF8.self))
    }

    /// Whether the settings are those from before.
    var isRestored: Bool {
        var now = termios()
        tcgetattr(screen, &now)
        return (now.c_lflag, now.c_iflag, now.c_oflag) == (before.c_lflag, before.c_iflag, before.c_oflag)
    }

    private func read() {
        var chunk = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = Glibc.read(keyboard, &chunk, chunk.count)
            guard count > 0 else { return }
            bytes += chunk[..<count]
        }
    }
}
