import AgentInterface
import DBus

extension JSONText {
    /// A category of the preferences. The structures of the D-Bus interface are objects.
    ///
    /// - Parameter account: The account's name; nil: it is clear.
    init(_ category: CategoryRecord, account: String? = nil) {
        var members = category.values.mapValues { JSONText($0) }
        if members["channels"] != nil {
            members["channels"] = .array(
                category.channels.map { channel in
                    .object([
                        "channel": .string(channel.name), "preference": .string(channel.preference.rawValue),
                        "editable": .bool(channel.isEditable),
                    ])
                }
            )
        }
        members["account"] = account.map(JSONText.string)
        if !category.digest.isEmpty { members["digest"] = JSONText(DigestRecord(category.digest)) }
        if members["properties"] != nil {
            members["properties"] = .array(category.properties.map { JSONText(PropertyRecord($0)) })
        }
        self = .object(members)
    }

    private init(_ digest: DigestRecord) {
        var members = digest.values.mapValues { JSONText($0) }
        if let days = digest.monthdays {
            members["monthdays"] = .array(
                days.map { day in
                    .object([
                        "position": .number(day.position), "weekdays": .array(day.weekdays.map(JSONText.string)),
                    ])
                }
            )
        }
        self = .object(members)
    }

    private init(_ property: PropertyRecord) {
        var members = property.values.mapValues { JSONText($0) }
        if members["choices"] != nil {
            members["choices"] = .array(
                property.choices.map { choice in
                    let (label, value) = choice.elements
                    return .object(["label": .string(label), "value": JSONText(value)])
                }
            )
        }
        self = .object(members)
    }
}
