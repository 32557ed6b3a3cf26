import Inbox
import ServiceKit

extension PopupPolicy {
    init(_ table: ConfigurationTable) throws(ConfigurationError) {
        var table = table
        self.init()
        if let node = table.node("timeout") { timeout = try Timeout(node, table) }
        groupAbove = try table.integer("group_above", in: 1...1000) ?? groupAbove
        markSeen = try table.choice("mark_seen") ?? markSeen
        if let schemes = try table.strings("open_schemes") {
            for scheme in schemes where !Self.isScheme(scheme) {
                throw table.error(
                    "open_schemes",
                    "\"\(scheme)\" in \"popups.open_schemes\" is not a URL scheme. Use a name such as \"https\"."
                )
            }
            openSchemes = Set(schemes.map { $0.lowercased() })
        }
        criticalCategories = Set(try table.strings("critical_categories") ?? [])
        locked = try table.choice("locked") ?? locked
        try table.finish()
    }

    /// The syntax of RFC 3986 §3.1.
    private static func isScheme(_ text: String) -> Bool {
        guard let first = text.utf8.first, (0x61...0x7A).contains(first | 0x20) else { return false }
        return text.unicodeScalars.allSatisfy { scalar in
            scalar.isASCII
                && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil
                    || "+-.".unicodeScalars.contains(scalar))
        }
    }
}

extension PopupPolicy.Timeout {
    fileprivate init(_ node: TOMLNode, _ table: ConfigurationTable) throws(ConfigurationError) {
        let longest = 86_400.0
        let seconds: Double
        switch node.value {
        case .string("default"):
            self = .serverDefault
            return
        case .string("never"):
            self = .never
            return
        case .integer(let number): seconds = Double(number)
        case .float(let number): seconds = number
        default:
            throw table.error("timeout", "\"popups.timeout\" must be \"default\", \"never\" or a number of seconds.")
        }
        guard seconds >= 0.001, seconds <= longest else {
            throw table.error("timeout", "\"popups.timeout\" must be more than 0 and at most \(Int(longest)) seconds.")
        }
        self = .after(milliseconds: Int32((seconds * 1000).rounded()))
    }
}

extension QuietHours {
    private enum LetThrough: String, CaseIterable {
        case critical
        case nothing
    }

    init(_ table: ConfigurationTable) throws(ConfigurationError) {
        var table = table
        let from = try table.timeOfDay("from")
        let to = try table.timeOfDay("to")
        let days = try table.strings("days")?.map { (name) throws(ConfigurationError) in
            guard let day = Weekday(rawValue: name) else {
                let names = Weekday.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
                throw table.error("days", "\"\(name)\" in \"quiet.days\" is not a day. Choose from \(names).")
            }
            return day
        }
        let letThrough: LetThrough = try table.choice("let_through") ?? .nothing
        try table.finish()
        self.init(
            from: from,
            to: to,
            days: days.map(Set.init) ?? Set(Weekday.allCases),
            letsCriticalThrough: letThrough == .critical
        )
    }
}

extension ConfigurationTable {
    /// Minutes after midnight, written "HH:MM".
    fileprivate mutating func timeOfDay(_ key: String) throws(ConfigurationError) -> Int {
        let text = try requiredString(key)
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2,
            parts.allSatisfy({ $0.utf8.count == 2 && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }),
            let hour = Int(parts[0]), let minute = Int(parts[1]), hour < 24, minute < 60
        else {
            throw error(key, "\"\(name(key))\" must be a time of day such as \"22:00\", not \"\(text)\".")
        }
        return hour * 60 + minute
    }
}
