import Glibc
import Logging

/// Writes log messages to standard error, a line each: `message key=value …`. Under systemd a line begins with its priority,
/// `<N>` (sd-daemon(3)), elsewhere with the time and the level.
struct StandardErrorLog: LogHandler {
    var logLevel: Logger.Level
    var metadata: Logger.Metadata = [:]
    private let hasPriorities: Bool

    init(level: Logger.Level, hasPriorities: Bool) {
        logLevel = level
        self.hasPriorities = hasPriorities
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let all = metadata.merging(event.metadata ?? [:]) { $1 }
        let facts = all.sorted { $0.key < $1.key }.map { " \($0.key)=\(Self.quoted("\($0.value)"))" }.joined()
        Self.write("\(prefix(event.level))\(Self.onOneLine("\(event.message)"))\(facts)")
    }

    /// Writes a line to standard error.
    static func write(_ line: String) {
        var line = line + "\n"
        line.withUTF8 { bytes in _ = Glibc.write(STDERR_FILENO, bytes.baseAddress, bytes.count) }
    }

    private func prefix(_ level: Logger.Level) -> String {
        guard !hasPriorities else { return "<\(level.priority)>" }
        var now = time(nil)
        var local = tm()
        localtime_r(&now, &local)
        let parts = [local.tm_hour, local.tm_min, local.tm_sec].map { $0 < 10 ? "0\($0)" : "\($0)" }
        return "\(parts.joined(separator: ":")) \(level.rawValue): "
    }

    private static func quoted(_ text: String) -> String {
        let line = onOneLine(text)
        return line.contains(" ") || line.isEmpty ? "\"\(line)\"" : line
    }

    /// Control characters would let a text of the network write lines of its own, or steer a terminal.
    private static func onOneLine(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.map { $0.value < 0x20 || (0x7F..<0xA0).contains($0.value) ? "\u{FFFD}" : $0 }
            )
        )
    }
}

extension Logger.Level {
    /// syslog(3)
    fileprivate var priority: Int {
        switch self {
        case .trace, .debug: 7
        case .info: 6
        case .notice: 5
        case .warning: 4
        case .error: 3
        case .critical: 2
        }
    }
}
