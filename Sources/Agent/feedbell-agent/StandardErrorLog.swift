import Glibc
import Logging
import VisibleText

/// Writes each log message to standard error as one line: `message key=value …`. Under systemd a line starts with its
/// priority, `<N>` (sd-daemon(3)), otherwise with the time and the level. The journal reads UTF-8; elsewhere the log is
/// in the character set of the user's locale.
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

    /// The loop must not wait for the reader of standard error.
    private static let stream = LogStream(STDERR_FILENO) { count in
        let isUnderSystemd = getenv("JOURNAL_STREAM") != nil
        let line = "\(isUnderSystemd ? "<4>" : "")\(count) log messages were discarded: standard error was not read\n"
        return Array(line.utf8)
    }

    func log(event: LogEvent) {
        let all = metadata.merging(event.metadata ?? [:]) { $1 }
        let facts = all.sorted { $0.key < $1.key }.map { " \($0.key)=\(Self.quoted("\($0.value)"))" }.joined()
        let line = "\(prefix(event.level))\(VisibleText.line("\(event.message)"))\(facts)\n"
        Self.stream.write(hasPriorities ? Array(line.utf8) : CharacterSet.current.bytes(line))
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
        let line = VisibleText.line(text)
        return line.contains(" ") || line.isEmpty ? "\"\(line)\"" : line
    }
}

extension Logger.Level {
    /// The priority of syslog(3).
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
