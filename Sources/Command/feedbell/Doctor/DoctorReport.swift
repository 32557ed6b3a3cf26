import AgentInterface
import VisibleText

/// The output of `feedbell doctor`.
struct DoctorReport: Equatable {
    var findings: [Finding]

    var hasProblem: Bool { findings.contains { $0.level == .problem } }

    /// The findings as a JSON array.
    var json: JSONText {
        .array(
            findings.map { finding in
                var members: [String: JSONText] = [
                    "topic": .string(finding.topic.rawValue), "level": .string(finding.level.rawValue),
                    "sentence": .string(finding.sentence.withoutIsolates),
                ]
                members["account"] = finding.account.map(JSONText.string)
                members["remedy"] = finding.remedy.map { .string($0.withoutIsolates) }
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
            lines.append(Self.line(heading))
            for finding in findings where Self.heading(finding) == heading {
                let level = finding.level
                let mark = terminal?.text(level.mark, level.style) ?? level.mark
                let width = terminal?.columns ?? .max
                lines.append("  \(mark) \(Self.line(finding.sentence))".wrapped(toColumns: width, hanging: 4))
                if let remedy = finding.remedy {
                    lines.append("    → \(Self.line(remedy))".wrapped(toColumns: width, hanging: 6))
                }
            }
        }
        return (lines + ["", summary]).map { $0 + "\n" }.joined()
    }

    private static func line(_ sentence: String) -> String { VisibleText.line(sentence, keepsIsolates: true) }

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
        if let account = finding.account { return translated("Account {name}", ["name": account]) }
        return switch finding.topic {
        case .bus, .agent: translated("Session")
        case .notifications, .popup, .links: translated("Popups")
        case .configuration, .token, .credentials, .account: translated("Configuration")
        case .network, .clock: translated("Network")
        }
    }

    private var summary: String {
        let (problems, warnings) = (count(.problem), count(.warning))
        let (problemWords, warningWords) = (
            translated("{count} problem", plural: "{count} problems", count: problems),
            translated("{count} warning", plural: "{count} warnings", count: warnings)
        )
        switch (problems, warnings) {
        case (0, 0): return translated("No problems found.")
        // Translators: Such as "Found 1 problem."
        case (_, 0): return translated("Found {count}.", ["count": problemWords])
        case (0, _): return translated("Found {count}.", ["count": warningWords])
        default:
            // Translators: Such as "Found 1 problem and 2 warnings."
            return translated(
                "Found {problems} and {warnings}.",
                ["problems": problemWords, "warnings": warningWords]
            )
        }
    }

    private func count(_ level: Finding.Level) -> Int {
        findings.count { $0.level == level }
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
