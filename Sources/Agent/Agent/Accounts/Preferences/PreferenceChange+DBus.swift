import AgentInterface
import FoundationEssentials
import Inbox

/// The representation on D-Bus and in the state store.
extension PreferenceChange {
    /// The name of the D-Bus method that makes this change.
    var name: String {
        switch self {
        case .category: "SetCategory"
        case .channel: "SetCategoryChannel"
        case .overall: "SetChannel"
        case .digest: "SetDigest"
        case .property: "SetProperty"
        }
    }

    /// The arguments of that method; those that are not texts are in JSON.
    var arguments: [String] {
        switch self {
        case .category(let category, let isOn): [category, PreferenceSwitch(isOn: isOn).rawValue]
        case .channel(let channel, let category, let isOn): [category, channel, PreferenceSwitch(isOn: isOn).rawValue]
        case .overall(let channel, let onlyRequired): [channel, PreferenceLevel(isOnlyRequired: onlyRequired).rawValue]
        case .digest(let change, let category): [category, Self.json(of: change)]
        case .property(let property, let value, let category): [category, property, Self.json(of: value)]
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
            guard let level = PreferenceLevel(rawValue: arguments[1]) else { return nil }
            self = .overall(channel: arguments[0], onlyRequired: level.isOnlyRequired)
        case ("SetDigest", 2):
            guard let change: PreferencesContents.Digest.Change = Self.value(in: arguments[1]) else { return nil }
            self = .digest(change, inCategory: arguments[0])
        case ("SetProperty", 3):
            guard let value: PropertyValue = Self.value(in: arguments[2]) else { return nil }
            self = .property(arguments[1], value, inCategory: arguments[0])
        default: return nil
        }
    }

    private static func json(of value: some Encodable) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    private static func value<Content: Decodable>(in json: String) -> Content? {
        try? JSONDecoder().decode(Content.self, from: Data(json.utf8))
    }
}
