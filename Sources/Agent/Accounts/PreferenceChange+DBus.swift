import AgentInterface
import Inbox

/// The representation on D-Bus and in the state store.
extension PreferenceChange {
    /// The name of the D-Bus method that makes this change.
    var name: String {
        switch self {
        case .category: "SetCategory"
        case .channel: "SetCategoryChannel"
        case .overall: "SetChannel"
        }
    }

    /// The arguments of that method.
    var arguments: [String] {
        switch self {
        case .category(let category, let isOn): [category, PreferenceSwitch(isOn: isOn).rawValue]
        case .channel(let channel, let category, let isOn): [category, channel, PreferenceSwitch(isOn: isOn).rawValue]
        case .overall(let channel, let onlyRequired): [channel, ChannelLevel(isOnlyRequired: onlyRequired).rawValue]
        }
    }

    /// The change that a method with these arguments makes; nil if the method or an argument is invalid.
    init?(name: String, arguments: [String]) {
        switch (name, arguments.count) {
        case ("SetCategory", 2):
            guard let isOn = PreferenceSwitch(rawValue: arguments[1])?.isOn else { return nil }
            self = .category(arguments[0], isOn: isOn)
        case ("SetCategoryChannel", 3):
            guard let isOn = PreferenceSwitch(rawValue: arguments[2])?.isOn else { return nil }
            self = .channel(arguments[1], inCategory: arguments[0], isOn: isOn)
        case ("SetChannel", 2):
            guard let level = ChannelLevel(rawValue: arguments[1]) else { return nil }
            self = .overall(channel: arguments[0], onlyRequired: level.isOnlyRequired)
        default: return nil
        }
    }
}
