import Basics
import Inbox

extension Rule {
    /// - Parameter number: Its number in its file, from 1.
    init(_ table: ConfigurationTable, number: Int, of origin: Origin) throws(ConfigurationError) {
        var table = table
        // Only programs give rules a name of their own.
        let id = origin == .settings ? try table.string("id") : nil
        let isEnabled = try table.boolean("enabled") ?? true
        let until = try table.moment("until").map(Timestamp.init(milliseconds:))
        let conditions = try RuleConditions(&table)
        let effects = try RuleEffects(&table)
        try table.finish()
        self.init(
            conditions,
            effects,
            id: id ?? "\(origin.rawValue)-\(number)",
            origin: origin,
            isEnabled: isEnabled,
            until: until
        )
    }
}

extension RuleConditions {
    /// The maximum number of patterns of one key.
    private static let limit = 100

    init(_ table: inout ConfigurationTable) throws(ConfigurationError) {
        let patterns: [Field: [TextPattern]?] = [
            .account: try Self.patterns("account", table.texts("account"), table),
            .category: try Self.patterns("category", table.texts("category"), table),
            .tag: try Self.patterns("tag", table.texts("tag"), table),
            .topic: try Self.patterns("topic", table.texts("topic"), table),
            .title: try Self.patterns("title", table.texts("title"), table),
            .text: try Self.patterns("text", table.texts("text"), table),
        ]
        let matches = Field.allCases.compactMap { field in (patterns[field] ?? nil).map { Match(field, $0) } }
        let hasTimes = table.contains("from") || table.contains("to")
        let hasHours = hasTimes || table.contains("days")
        self.init(matches, hours: hasHours ? try WeeklyHours(&table, hasTimes: hasTimes) : nil)
    }

    private static func patterns(
        _ key: String,
        _ texts: [String]?,
        _ table: ConfigurationTable
    ) throws(ConfigurationError) -> [TextPattern]? {
        guard let texts else { return nil }
        guard texts.count <= limit else {
            throw table.error(key, "\"\(table.name(key))\" has more than \(limit) patterns.")
        }
        return try texts.map { (text) throws(ConfigurationError) in
            do throws(TextPattern.Mistake) {
                return try TextPattern(text)
            } catch {
                throw table.error(key, "A pattern of \"\(table.name(key))\" is invalid: \"\(text)\". \(error.sentence)")
            }
        }
    }
}
