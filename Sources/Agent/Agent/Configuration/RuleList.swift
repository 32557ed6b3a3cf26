import Inbox

/// The rules of one file of the configuration.
package struct RuleList: Equatable, Sendable {
    /// The maximum number of rules of a file.
    private static let limit = 100

    package var kind: ConfigurationLayers.File.Kind
    /// The value of the key `rules`.
    package var node: TOMLNode
    /// Whether the list is a preset that locks its rules: they are tried before those of users.
    package var isLocked = false

    package init(kind: ConfigurationLayers.File.Kind, node: TOMLNode) {
        self.kind = kind
        self.node = node
    }

    private var origin: Rule.Origin {
        switch kind {
        case .preset: .preset
        case .settings: .settings
        case .account, .personal: .config
        }
    }

    /// Reads the rules in the order of the file.
    ///
    /// - Parameter count: The number of rules of the same origin in earlier files.
    func rules(after count: Int = 0) throws(ConfigurationError) -> [Rule] {
        let root = TOMLNode(.table(["rules": node]), file: node.file, line: 1)
        var table = try ConfigurationTable(root, path: "")
        let tables = try table.tableArray("rules") ?? []
        guard tables.count <= Self.limit else {
            throw table.error("rules", "There are \(tables.count) [[rules]], but at most \(Self.limit) are allowed.")
        }
        var rules: [Rule] = []
        for (index, table) in tables.enumerated() {
            let rule = try Rule(table, number: count + index + 1, of: origin)
            guard !rules.contains(where: { $0.id == rule.id }) else {
                throw table.error("id", "Two rules have the id \"\(rule.id)\". Remove one of the lines.")
            }
            rules.append(rule)
        }
        return rules
    }
}

extension Rules {
    /// The rules of all files in the order in which they are tried: those of presets that lock them, mutes, those of
    /// the user's file, those of programs, those of other presets.
    init(_ lists: [RuleList]) throws(ConfigurationError) {
        var (locked, own, programs, presets): ([Rule], [Rule], [Rule], [Rule]) = ([], [], [], [])
        for list in lists {
            let rules = try list.rules(after: list.kind == .preset ? locked.count + presets.count : 0)
            switch list.kind {
            // The last preset is the most important one.
            case .preset where list.isLocked: locked = rules + locked
            case .preset: presets = rules + presets
            case .settings: programs += rules
            case .account, .personal: own += rules
            }
        }
        self.init(locked + programs.filter(\.isMute) + own + programs.filter { !$0.isMute } + presets)
    }
}
