import AgentInterface
import FoundationEssentials

/// What `feedbell doctor` says.
struct DoctorReport: Equatable {
    var findings: [Finding]

    var hasProblem: Bool { findings.contains { $0.level == .problem } }

    /// The findings as a JSON array on one line.
    var json: String {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return String(decoding: try encoder.encode(findings), as: UTF8.self)
        }
    }

    /// For people: the findings in groups, what to do below each that is not well, and a summary.
    ///
    /// - Parameters:
    ///   - columns: The width of the terminal; nil: lines are as long as their sentences.
    ///   - hasColors: Whether marks are coloured.
    func text(columns: Int? = nil, hasColors: Bool = false) -> String {
        var lines: [String] = []
        for heading in headings {
            if !lines.isEmpty { lines.append("") }
            lines.append(heading.printable)
            for finding in findings where Self.heading(finding) == heading {
                let mark =
                    hasColors ? "\u{1B}[\(finding.level.color)m\(finding.level.mark)\u{1B}[0m" : finding.level.mark
                lines += Self.wrapped(finding.sentence.printable, columns, after: "  \(mark) ")
                if let remedy = finding.remedy { lines += Self.wrapped(remedy.printable, columns, after: "    → ") }
            }
        }
        return (lines + ["", summary]).map { $0 + "\n" }.joined()
    }

    /// The groups in the order in which they are shown: what concerns no account, then the accounts as they come.
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
        return counts.isEmpty ? "Everything is as it should be." : "Found \(counts.joined(separator: " and "))."
    }

    /// A paragraph after a mark, in lines of at most so many characters as far as words allow.
    private static func wrapped(_ text: String, _ columns: Int?, after mark: String) -> [String] {
        let indentation = mark.hasPrefix("    ") ? 6 : 4
        var lines = [mark]
        var width = 0
        for word in text.split(separator: " ") {
            if width > 0, let columns, indentation + width + 1 + word.count > columns {
                lines.append(String(repeating: " ", count: indentation))
                width = 0
            }
            lines[lines.count - 1] += width == 0 ? word : " \(word)"
            width += (width == 0 ? 0 : 1) + word.count
        }
        return lines
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

    /// SGR parameters: green, yellow, red.
    fileprivate var color: String {
        switch self {
        case .ok: "32"
        case .warning: "33"
        case .problem: "31"
        }
    }
}
