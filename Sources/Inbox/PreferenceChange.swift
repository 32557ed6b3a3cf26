/// One value a person changes.
package enum PreferenceChange: Hashable, Sendable {
    case category(String, isOn: Bool)
    case channel(String, inCategory: String, isOn: Bool)
    /// A channel as a whole: for everything, or only where it is required.
    case overall(channel: String, onlyRequired: Bool)

    /// What a service is asked about in one request: a category with its channels, or a channel as a whole.
    package enum Target: Hashable, Sendable {
        case category(String)
        case channel(String)

        /// The service's name for it.
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

    /// Whether it is about the very same value.
    func isVoid(after later: PreferenceChange) -> Bool {
        switch (self, later) {
        case (.category(let own, _), .category(let other, _)): own == other
        case (.channel(let own, let ownCategory, _), .channel(let other, let otherCategory, _)):
            own == other && ownCategory == otherCategory
        case (.overall(let own, _), .overall(let other, _)): own == other
        default: false
        }
    }

    // MARK: In the words of the D-Bus interface

    /// The name of the D-Bus method that makes this change.
    package var name: String {
        switch self {
        case .category: "SetCategory"
        case .channel: "SetCategoryChannel"
        case .overall: "SetChannel"
        }
    }

    /// What that method is given.
    package var arguments: [String] {
        switch self {
        case .category(let category, let isOn): [category, Self.preference(isOn)]
        case .channel(let channel, let category, let isOn): [category, channel, Self.preference(isOn)]
        case .overall(let channel, let onlyRequired): [channel, onlyRequired ? "required" : "all"]
        }
    }

    /// The change that a method makes; nil if there is no such method, or none with such arguments.
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
