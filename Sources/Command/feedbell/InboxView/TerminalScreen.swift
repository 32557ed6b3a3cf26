import CLinux
import DBus
import Glibc
import VisibleText

/// The terminal while `feedbell inbox` uses it: without line editing and echo, on the alternate screen.
///
/// ``close()`` restores it. SIGINT, SIGTERM and SIGHUP are reported, so that they restore it, too.
struct TerminalScreen: Sendable {
    enum Event: Equatable, Sendable {
        case input([UInt8])
        case resized
        /// A signal, or the terminal was closed.
        case ended
    }

    /// Both standard input and standard output are a terminal.
    static var isTerminal: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1 }

    /// Whether input and output are a terminal that can move the cursor.
    static var isAvailable: Bool {
        isTerminal
            && !["", "dumb"].contains(getenv("TERM").map { String(cString: $0) } ?? "")
    }

    private let before: termios
    private let isPlain: Bool
    private let watches: [any DescriptorWatch]

    /// Takes the terminal.
    ///
    /// - Parameters:
    ///   - isPlain: Whether lines are appended, instead of the whole screen being drawn.
    ///   - report: Called on the loop of the program.
    init(isPlain: Bool = false, _ report: @escaping @Sendable (Event) -> Void) throws(Failure) {
        var attributes = termios()
        tcgetattr(STDIN_FILENO, &attributes)
        before = attributes
        self.isPlain = isPlain
        if endDescriptor < 0 { (endDescriptor, resizeDescriptor) = (feedbell_eventfd(), feedbell_eventfd()) }
        do throws(DBusError) {
            watches = [
                try PollLoop.main.watch(STDIN_FILENO) { report(Self.readInput()) },
                try PollLoop.main.watch(endDescriptor) { report(.ended) },
                try PollLoop.main.watch(resizeDescriptor) { report(.resized) },
            ]
        } catch {
            throw Failure(error)
        }
        for number in Self.endSignals { signal(number) { _ in write(endDescriptor) } }
        for number in Self.resizeSignals { signal(number) { _ in write(resizeDescriptor) } }
        open()
    }

    /// The number of columns and rows.
    static var size: (columns: Int, rows: Int) {
        var size = winsize()
        let isKnown = ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 && size.ws_row > 0
        return isKnown ? (Int(size.ws_col), Int(size.ws_row)) : (80, 24)
    }

    /// A position on the screen, from 0.
    struct Position: Equatable, Sendable {
        var row: Int
        var column = 0
    }

    /// Draws the whole screen. Each line is erased before: after a line of the full width, the cursor is on its last
    /// character.
    ///
    /// - Parameter cursor: Where the hidden cursor is left: a screen reader reads its line.
    func draw(_ lines: [String], cursor: Position) {
        let drawn = lines.enumerated().map { Self.move(to: Position(row: $0.offset)) + "\u{1B}[2K\($0.element)" }
        StandardStream.output.write(drawn.joined() + Self.move(to: cursor))
    }

    private static func move(to position: Position) -> String {
        "\u{1B}[\(position.row + 1);\(position.column + 1)H"
    }

    /// Appends lines. The cursor stays in the last one: a screen reader reads its line.
    func print(_ lines: [String]) { StandardStream.output.write(lines.map { "\r\n" + $0 }.joined()) }

    /// Restores the terminal, and reports no further event.
    func close() {
        for watch in watches { watch.cancel() }
        for number in Self.endSignals + Self.resizeSignals { signal(number, SIG_DFL) }
        restore()
    }

    /// Returns to the shell until it continues this program.
    func suspend() {
        restore()
        raise(SIGTSTP)
        open()
    }

    // MARK: Modes

    private static let endSignals = [SIGINT, SIGTERM, SIGHUP]
    /// After the latter, another program may have drawn.
    private static let resizeSignals = [SIGWINCH, SIGCONT]

    /// No line editing, no echo, no signals by keys. A read does not wait (`VMIN` and `VTIME` 0): O_NONBLOCK would
    /// belong to the shell, too.
    private func open() {
        var raw = before
        cfmakeraw(&raw)
        withUnsafeMutableBytes(of: &raw.c_cc) { characters in
            characters[Int(VMIN)] = 0
            characters[Int(VTIME)] = 0
        }
        tcsetattr(STDIN_FILENO, TCSADRAIN, &raw)
        // What is pasted is marked as such.
        if Self.isAvailable { StandardStream.output.write("\u{1B}[?2004h") }
        if isPlain { return }
        // Alternate screen, cursor hidden, no line wrap; buttons and wheel of the mouse.
        StandardStream.output.write("\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[?1000h\u{1B}[?1006h")
    }

    private func restore() {
        if Self.isAvailable { StandardStream.output.write("\u{1B}[?2004l") }
        // In the plain mode, the cursor is at the end of a line.
        StandardStream.output.write(
            isPlain ? "\r\n" : "\u{1B}[?1006l\u{1B}[?1000l\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"
        )
        var attributes = before
        tcsetattr(STDIN_FILENO, TCSADRAIN, &attributes)
    }

    // MARK: Events

    private static func readInput() -> Event {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1024)
        // A pasted text is read in parts.
        while bytes.count < 64 << 10 {
            let count = read(STDIN_FILENO, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            bytes += chunk[..<count]
        }
        guard bytes.isEmpty else { return .input(bytes) }
        var descriptor = pollfd(fd: STDIN_FILENO, events: 0, revents: 0)
        return poll(&descriptor, 1, 0) > 0 ? .ended : .input([])
    }
}

/// The descriptors to which the signal handlers write. Each is set before its handler is installed.
private nonisolated(unsafe) var endDescriptor: Int32 = -1
private nonisolated(unsafe) var resizeDescriptor: Int32 = -1

/// Only what signal-safety(7) allows.
private func write(_ descriptor: Int32) {
    let before = errno
    var one: UInt64 = 1
    _ = Glibc.write(descriptor, &one, 8)
    errno = before
}
