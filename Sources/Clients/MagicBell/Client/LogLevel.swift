import Logging

/// The amount of messages that a client logs: none by default. No level logs a secret or the contents of a
/// notification.
public enum LogLevel: Sendable, Hashable, CaseIterable {
    /// Nothing.
    case none
    /// Problems that the app's developer or user has to solve.
    case error
    /// Also failures that are retried.
    case warning
    /// Also what the client does.
    case info
    /// Everything.
    case debug
}

extension LogLevel {
    /// `logger` with this level, or a logger that logs nothing.
    func applied(to logger: Logger) -> Logger {
        var logger = logger
        switch self {
        case .none: return Logger(label: logger.label) { _ in SwiftLogNoOpLogHandler() }
        case .error: logger.logLevel = .error
        case .warning: logger.logLevel = .warning
        case .info: logger.logLevel = .info
        case .debug: logger.logLevel = .debug
        }
        return logger
    }
}
