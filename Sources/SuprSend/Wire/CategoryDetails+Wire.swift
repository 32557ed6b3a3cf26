import ClientKit

/// Decodes a category's digest schedule and properties from the service's form.
extension DigestSchedule: Decodable {
    /// Reads the service's `digest_schedule`. Only the id is required.
    public init(from decoder: any Decoder) throws {
        let wire = try decoder.container(keyedBy: WireKey.self)
        self.init(
            id: try wire.required("id", wire.value("id")),
            label: wire.value("label"),
            frequency: wire.value("frequency").map { Frequency(rawValue: $0) },
            interval: wire.integer("interval").map { Int(clamping: $0) },
            isDefault: wire.value("is_default") ?? false,
            isUserSelected: wire.value("is_user_selected") ?? false,
            weekdays: wire.part("weekdays") { $0.weekdays($1) },
            monthdays: wire.part("monthdays") { $0.value($1, as: LossyArray<MonthDay>.self)?.elements },
            time: wire.part("time") { $0.value($1) },
            dtstart: wire.part("dtstart") { $0.value($1) }
        )
    }
}

extension DigestSchedule.MonthDay: Decodable {
    /// Reads one of the service's `monthdays`.
    public init(from decoder: any Decoder) throws {
        let wire = try decoder.container(keyedBy: WireKey.self)
        let position = try wire.required("pos", wire.integer("pos"))
        self.init(position: Int(clamping: position), weekdays: wire.weekdays("day"))
    }
}

extension KeyedDecodingContainer where Key == WireKey {
    fileprivate func weekdays(_ key: WireKey) -> [DigestSchedule.Weekday]? {
        value(key, as: LossyArray<String>.self)?.elements.map { DigestSchedule.Weekday(rawValue: $0) }
    }

    /// `{edit_policy: locked|editable, default_value, value?}`.
    fileprivate func part<Value>(
        _ key: WireKey,
        _ read: (Self, WireKey) -> Value?
    ) -> DigestSchedule.Part<Value>? {
        guard let part = try? nestedContainer(keyedBy: WireKey.self, forKey: key) else { return nil }
        return DigestSchedule.Part(
            isEditable: part.value("edit_policy") == "editable",
            defaultValue: read(part, "default_value"),
            value: read(part, "value")
        )
    }
}

extension CategoryProperty: Decodable {
    /// Reads one of the service's `properties`. Only the key is required.
    public init(from decoder: any Decoder) throws {
        let wire = try decoder.container(keyedBy: WireKey.self)
        self.init(
            key: try wire.required("key", wire.value("key")),
            value: wire.value("value"),
            label: wire.value("label"),
            isEditable: wire.value("edit_policy") == "editable",
            isOptional: wire.value("is_optional") ?? false,
            isOverridden: wire.value("is_overridden") ?? false,
            valueType: wire.value("value_type").map { ValueType(rawValue: $0) },
            dynamicChoicesKey: wire.value("dynamic_choices_key"),
            defaultValue: wire.value("default_value"),
            choices: wire.value("choices", as: LossyArray<Choice>.self)?.elements ?? []
        )
    }
}

extension CategoryProperty.Choice: Decodable {
    /// Reads one of a property's `choices`.
    public init(from decoder: any Decoder) throws {
        let wire = try decoder.container(keyedBy: WireKey.self)
        let value = try wire.required("value", wire.value("value", as: JSONValue.self))
        self.init(label: wire.value("label") ?? value.string ?? value.text, value: value)
    }
}
