package import AgentInterface
import Glibc
package import Inbox
import VisibleText

/// Checks the rules of a valid configuration for unreadable files, unknown accounts, and rules that never apply.
package struct RuleFacts {
    private let rules: [Rule]
    private let joined: [String]
    private let accounts: [PatternText]
    private let isReadable: (String) -> Bool

    /// - Parameters:
    ///   - lists: The rules by their files.
    ///   - accounts: The names of the configured accounts.
    ///   - isReadable: Whether a file can be read.
    package init(
        _ rules: Rules,
        of lists: [RuleList] = [],
        accounts: [String],
        isReadable: @escaping (String) -> Bool = { access($0, R_OK) == 0 }
    ) {
        self.rules = rules.rules
        // Programs write rules since the rules of all files are used.
        joined = lists.filter { $0.kind != .settings }.map(\.node.file)
        self.accounts = accounts.map(PatternText.init)
        self.isReadable = isReadable
    }

    package var findings: [Finding] {
        rules.enumerated().flatMap { files(of: $1, number: $0 + 1) + [account(of: $1, number: $0 + 1)] }
            .compactMap(\.self) + [unreachable, joining].compactMap(\.self)
    }

    /// Versions before 0.2.0 used the rules of the last file only.
    private var joining: Finding? {
        guard joined.count > 1 else { return nil }
        let sentence = translated(
            "The rules of several files are used together, the first match decides: {files}.",
            ["files": joined.joined(separator: ", ")]
        )
        let remedy = translated(
            "Earlier versions used only those of the last file. See their order with: {command}",
            ["command": "feedbell rules"]
        )
        return Finding(.configuration, .ok, sentence, remedy: remedy)
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
        let last = rules.firstIndex { $0.conditions == RuleConditions() && $0.isEnabled && $0.until == nil }
        guard let last, last + 1 < rules.count else { return nil }
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
