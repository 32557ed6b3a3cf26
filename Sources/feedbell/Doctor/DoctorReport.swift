import AgentInterface
import VisibleText

/// The output of `feedbell doctor`.
struct DoctorReport: Equatable {
    var findings: [Finding]

    var hasProblem: Bool { findings.contains { $0.level == .problem } }

    /// The findings as a JSON array.
    var json: JSON {
        .array(
            findings.map { finding in
                var members: [String: JSON] = [
                    "topic": .string(finding.topic.rawValue), "level": .string(finding.level.rawValue),
                    "sentence": .string(finding.sentence),
                ]
                members["account"] = finding.account.map(JSON.string)
                members["remedy"] = finding.remedy.map(JSON.string)
                return .object(members)
            }
        )
    }

    /// The report as text: the findings in groups, with a remedy below each problem, and a summary.
    ///
    /// - Parameter terminal: nil: lines are not wrapped.
    func text(for terminal: Terminal? = nil) -> String {
        var lines: [String] = []
        for heading in headings {
            if !lines.isEmpty { lines.append("") }
            lines.append(heading.printable)
            for finding in findings where Self.heading(finding) == heading {
                let level = finding.level
                let mark = terminal?.text(level.mark, level.style) ?? level.mark
                let width = terminal?.columns ?? .max
                lines.append("  \(mark) \(finding.sentence.onOneLine)".wrapped(toColumns: width, hanging: 4))
                if let remedy = finding.remedy {
                    lines.append("    → \(remedy.onOneLine)".wrapped(toColumns: width, hanging: 6))
                }
            }
        }
        return (lines + ["", summary]).map { $0 + "\n" }.joined()
    }

    /// The groups in output order: findings without an account, then each account.
    private var headings: [String] {
        var headings: [String] = []
        for finding in findings.filter({ $0.account == nil }) + findings.filter({ $0.account != nil }) {
            let heading = Self.heading(finding)
            if !headings.contains(heading) { headings.append(heading) }
        }
        return headings
    }

    private static func heading(_ finding: Finding) -> String {
        if let account = finding.account { return "Account \(account)" }
        return switch finding.topic {
        case .bus, .agent: "Session"
        case .notifications, .popup: "Popups"
        case .configuration, .token, .credentials: "Configuration"
        case .network, .clock: "Network"
        }
    }

    private var summary: String {
        func count(_ level: Finding.Level, _ word: String) -> String? {
            let number = findings.count { $0.level == level }
            return number == 0 ? nil : "\(number) \(word)\(number == 1 ? "" : "s")"
        }
        let counts = [count(.problem, "problem"), count(.warning, "warning")].compactMap(\.self)
        return counts.isEmpty ? "No problems found." : "Found \(counts.joined(separator: " and "))."
    }
}

extension Finding.Level {
    fileprivate var mark: String {
        switch self {
        case .ok: "✓"
        case .warning: "!"
        case .problem: "✗"
        }
    }

    fileprivate var style: Terminal.Style {
        switch self {
        case .ok: .green
        case .warning: .yellow
        case .problem: .red
        }
    }
}
