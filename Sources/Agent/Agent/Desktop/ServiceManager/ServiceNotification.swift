/// A report of a service to its service manager (sd_notify(3)).
package enum ServiceNotification: Equatable, Sendable {
    /// It has started, or has finished reloading its configuration.
    case ready
    /// Its status, in a sentence that `systemctl status` shows.
    case status(String)
    /// It has begun to reload its configuration, at this time of `CLOCK_MONOTONIC`.
    case reloading(since: Duration)
    /// It ends.
    case stopping
    /// It works.
    case watchdog

    /// The assignments, one on each line.
    package var text: String {
        switch self {
        case .ready: "READY=1"
        case .status(let sentence):
            "STATUS=" + String(String.UnicodeScalarView(sentence.unicodeScalars.map { $0.value < 0x20 ? " " : $0 }))
        case .reloading(let time): "RELOADING=1\nMONOTONIC_USEC=\(time.microseconds)"
        case .stopping: "STOPPING=1"
        case .watchdog: "WATCHDOG=1"
        }
    }
}

extension Duration {
    fileprivate var microseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds * 1_000_000 + attoseconds / 1_000_000_000_000
    }
}
