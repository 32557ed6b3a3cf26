package import AgentInterface
import Glibc
package import Inbox
import Translation

/// Checks the rules of a valid configuration for unreadable files, unknown accounts, and rules that never apply.
package struct RuleFacts {
    private let rules: [Rule]
    private let accounts: [PatternText]
    private let isReadable: (String) -> Bool

    /// - Parameters:
    ///   - accounts: The names of the configured accounts.
    ///   - isReadable: Whether a file can be read.
    package init(
        _ rules: Rules,
        accounts: [String],
        isReadable: @escaping (String) -> Bool = { access($0, R_OK) == 0 }
    ) {
        self.rules = rules.rules
        self.accounts = accounts.map(PatternText.init)
        self.isReadable = isReadable
    }

    package var findings: [Finding] {
        rules.enumerated().flatMap { files(of: $1, number: $0 + 1) + [account(of: $1, number: $0 + 1)] }
            .compactMap(\.self) + [unreachable].compactMap(\.self)
    }

    private func files(of rule: Rule, number: Int) -> [Finding?] {
        var paths = [rule.effects.icon].compactMap(\.self).filter { $0.hasPrefix("/") }
        if case .file(let path) = rule.effects.sound { paths.append(path) }
        return paths.filter { !isReadable($0) }.map { path in
            warning(
                translated(
                    "Rule {number} names the file {file}, which cannot be read.",
                    ["number": "\(number)", "file": path]
                ),
                translated("Correct its path.")
            )
        }
    }

    private func account(of rule: Rule, number: Int) -> Finding? {
        guard let match = rule.conditions.matches.first(where: { $0.field == .account }),
            !accounts.contains(where: { account in match.patterns.contains { $0.matches(account) } })
        else { return nil }
        let names = accounts.map { "\"\($0.text)\"" }.joined(separator: ", ")
        return warning(
            translated("Rule {number} matches none of the accounts.", ["number": "\(number)"]),
            translated("Write the name of one of them: {names}.", ["names": names])
        )
    }

    private var unreachable: Finding? {
        guard let last = rules.firstIndex(where: { $0.conditions == RuleConditions() }), last + 1 < rules.count else {
            return nil
        }
        let values = ["number": "\(last + 1)"]
        return warning(
            translated("Rule {number} matches every notification, so later rules are never used.", values),
            translated("Move rule {number} to the end, or give it conditions.", values)
        )
    }

    private func warning(_ sentence: String, _ remedy: String) -> Finding {
        Finding(.configuration, .warning, sentence, remedy: remedy)
    }
}
