import AgentInterface
import DBus
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
        case .topic: "SetTopic"
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
        case .topic(let topic, let isSubscribed): [topic, PreferenceSwitch(isOn: isSubscribed).rawValue]
        }
    }

    /// The change that a method of these texts makes, from the bus or from the state store.
    ///
    /// - Throws: `InvalidArgs` for an unknown method, too few arguments, and a text that is none of its values.
    init(name: String, arguments: [String]) throws(DBusError) {
        switch (name, arguments.count) {
        case ("SetCategory", 2): self = .category(arguments[0], isOn: try Self.isOn(arguments[1]))
        case ("SetCategoryChannel", 3):
            self = .channel(arguments[1], inCategory: arguments[0], isOn: try Self.isOn(arguments[2]))
        case ("SetChannel", 2):
            guard let level = PreferenceLevel(rawValue: arguments[1]) else {
                throw DBusError(.invalidArgs, "The level \"\(arguments[1])\" is neither \"all\" nor \"required\".")
            }
            self = .overall(channel: arguments[0], onlyRequired: level.isOnlyRequired)
        case ("SetDigest", 2): self = .digest(try Self.value(in: arguments[1]), inCategory: arguments[0])
        case ("SetProperty", 3):
            self = .property(arguments[1], try Self.value(in: arguments[2]), inCategory: arguments[0])
        case ("SetTopic", 2):
            guard !arguments[0].isEmpty else { throw DBusError(.invalidArgs, "The topic is empty.") }
            self = .topic(arguments[0], isSubscribed: try Self.isOn(arguments[1]))
        default:
            throw DBusError(.invalidArgs, "\(name) with \(arguments.count) arguments is no change of preferences.")
        }
    }

    private static func isOn(_ preference: String) throws(DBusError) -> Bool {
        guard let value = PreferenceSwitch(rawValue: preference) else {
            let (on, off) = (PreferenceSwitch.on.rawValue, PreferenceSwitch.off.rawValue)
            throw DBusError(.invalidArgs, "The preference \"\(preference)\" is neither \"\(on)\" nor \"\(off)\".")
        }
        return value.isOn
    }

    private static func json(of value: some Encodable) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    private static func value<Content: Decodable>(in json: String) throws(DBusError) -> Content {
        do { return try JSONDecoder().decode(Content.self, from: Data(json.utf8)) } catch {
            throw DBusError(.invalidArgs, "The value of the preference is not valid JSON.")
        }
    }
}
