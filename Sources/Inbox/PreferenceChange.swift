/// A change of one preference by the user.
package enum PreferenceChange: Hashable, Sendable {
    case category(String, isOn: Bool)
    case channel(String, inCategory: String, isOn: Bool)
    /// The level of a whole channel: all notifications, or only required ones.
    case overall(channel: String, onlyRequired: Bool)

    /// The target of one request: a category with its channels, or a whole channel.
    package enum Target: Hashable, Sendable {
        case category(String)
        case channel(String)

        /// The service's identifier.
        package var name: String {
            switch self {
            case .category(let name), .channel(let name): name
            }
        }
    }

    package var target: Target {
        switch self {
        case .category(let category, _), .channel(_, let category, _): .category(category)
        case .overall(let channel, _): .channel(channel)
        }
    }

    /// Whether `later` changes the same preference.
    func isVoid(after later: PreferenceChange) -> Bool {
        switch (self, later) {
        case (.category(let own, _), .category(let other, _)): own == other
        case (.channel(let own, let ownCategory, _), .channel(let other, let otherCategory, _)):
            own == other && ownCategory == otherCategory
        case (.overall(let own, _), .overall(let other, _)): own == other
        default: false
        }
    }

    // MARK: D-Bus representation

    /// The name of the D-Bus method that makes this change.
    package var name: String {
        switch self {
        case .category: "SetCategory"
        case .channel: "SetCategoryChannel"
        case .overall: "SetChannel"
        }
    }

    /// The arguments of that method.
    package var arguments: [String] {
        switch self {
        case .category(let category, let isOn): [category, Self.preference(isOn)]
        case .channel(let channel, let category, let isOn): [category, channel, Self.preference(isOn)]
        case .overall(let channel, let onlyRequired): [channel, onlyRequired ? "required" : "all"]
        }
    }

    /// The change that a method with these arguments makes; nil if the method or an argument is invalid.
    package init?(name: String, arguments: [String]) {
        switch (name, arguments.count) {
        case ("SetCategory", 2):
            guard let isOn = Self.isOn(arguments[1]) else { return nil }
            self = .category(arguments[0], isOn: isOn)
        case ("SetCategoryChannel", 3):
            guard let isOn = Self.isOn(arguments[2]) else { return nil }
            self = .channel(arguments[1], inCategory: arguments[0], isOn: isOn)
        case ("SetChannel", 2):
            guard let onlyRequired = ["all": false, "required": true][arguments[1]] else { return nil }
            self = .overall(channel: arguments[0], onlyRequired: onlyRequired)
        default: return nil
        }
    }

    private static func preference(_ isOn: Bool) -> String { isOn ? "opt_in" : "opt_out" }

    private static func isOn(_ preference: String) -> Bool? { ["opt_in": true, "opt_out": false][preference] }
}
