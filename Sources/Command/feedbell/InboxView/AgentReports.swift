import AgentInterface
import Synchronization

/// The reports of the agent until the screen takes them, all at once: a burst is drawn once.
final class AgentReports: Sendable {
    private let reports = Mutex<[AgentReport]>([])

    /// - Returns: Whether the screen has to be told: it was not since it last took the reports.
    func add(_ report: AgentReport) -> Bool {
        reports.withLock { reports in
            reports.append(report)
            return reports.count == 1
        }
    }

    func take() -> [AgentReport] {
        reports.withLock { reports in
            defer { reports = [] }
            return reports
        }
    }
}
