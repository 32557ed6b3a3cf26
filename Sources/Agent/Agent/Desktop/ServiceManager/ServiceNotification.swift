/// A report of a service to its service manager (sd_notify(3)).
package enum ServiceNotification: Equatable, Sendable {
    /// The service has started, or has finished reloading its configuration.
    case ready
    /// The status, in a sentence that `systemctl status` shows.
    case status(String)
    /// The service has begun to reload its configuration, at this time of `CLOCK_MONOTONIC`.
    case reloading(since: Duration)
    /// The service ends.
    case stopping
    /// The service works.
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
