import Logging
import Synchronization

/// Keeps what is logged.
final class LogLines: LogHandler {
    private let lines = Mutex<[String]>([])
    private let level = Mutex(Logger.Level.trace)

    var all: [String] { lines.withLock(\.self) }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { nil }
        set {}
    }
    var metadata: Logger.Metadata {
        get { [:] }
        set {}
    }
    var logLevel: Logger.Level {
        get { level.withLock(\.self) }
        set { level.withLock { $0 = newValue } }
    }

    func log(event: LogEvent) { lines.withLock { $0.append("\(event.message)") } }
}
