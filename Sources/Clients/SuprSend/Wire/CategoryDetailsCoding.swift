import ClientKit

extension DigestSchedule: Codable {
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
            monthdays: wire.part("monthdays") { $0.elements($1, of: MonthDay.self) },
            time: wire.part("time") { $0.value($1) },
            dtstart: wire.part("dtstart") { $0.value($1) }
        )
    }

    /// Writes the service's `digest_schedule`.
    public func encode(to encoder: any Encoder) throws {
        var wire = encoder.container(keyedBy: WireKey.self)
        try wire.encode(id, forKey: "id")
        try wire.encodeIfPresent(label, forKey: "label")
        try wire.encodeIfPresent(frequency, forKey: "frequency")
        try wire.encodeIfPresent(interval, forKey: "interval")
        try wire.encode(isDefault, forKey: "is_default")
        try wire.encode(isUserSelected, forKey: "is_user_selected")
        try wire.encode(weekdays, forKey: "weekdays")
        try wire.encode(monthdays, forKey: "monthdays")
        try wire.encode(time, forKey: "time")
        try wire.encode(dtstart, forKey: "dtstart")
    }
}

extension DigestSchedule.MonthDay: Codable {
    /// Reads one of the service's `monthdays`.
    public init(from decoder: any Decoder) throws {
        let wire = try decoder.container(keyedBy: WireKey.self)
        let position = try wire.required("pos", wire.integer("pos"))
        self.init(position: Int(clamping: position), weekdays: wire.weekdays("day"))
    }

    /// Writes one of the service's `monthdays`.
    public func encode(to encoder: any Encoder) throws {
        var wire = encoder.container(keyedBy: WireKey.self)
        try wire.encode(position, forKey: "pos")
        try wire.encodeIfPresent(weekdays, forKey: "day")
    }
}

extension KeyedDecodingContainer where Key == WireKey {
    fileprivate func weekdays(_ key: WireKey) -> [DigestSchedule.Weekday]? {
        elements(key, of: String.self)?.map { DigestSchedule.Weekday(rawValue: $0) }
    }

    /// `{edit_policy: locked|editable, default_value, value?}`.
    fileprivate func part<Value>(
        _ key: WireKey,
        _ read: (Self, WireKey) -> Value?
    ) -> DigestSchedule.Part<Value>? {
        guard let part = try? nestedContainer(keyedBy: WireKey.self, forKey: key) else { return nil }
        return DigestSchedule.Part(
            isEditable: part.value("edit_policy") == EditPolicy.editable,
            defaultValue: read(part, "default_value"),
            value: read(part, "value")
        )
    }
}

extension CategoryProperty: Codable {
    /// Reads one of the service's `properties`. Only the key is required.
    public init(from decoder: any Decoder) throws {
        let wire = try decoder.container(keyedBy: WireKey.self)
        self.init(
            key: try wire.required("key", wire.value("key")),
            value: wire.value("value"),
            label: wire.value("label"),
            isEditable: wire.value("edit_policy") == EditPolicy.editable,
            isOptional: wire.value("is_optional") ?? false,
            isOverridden: wire.value("is_overridden") ?? false,
            valueType: wire.value("value_type").map { ValueType(rawValue: $0) },
            dynamicChoicesKey: wire.value("dynamic_choices_key"),
            defaultValue: wire.value("default_value"),
            choices: wire.elements("choices", of: Choice.self) ?? []
        )
    }

    /// Writes one of the service's `properties`.
    public func encode(to encoder: any Encoder) throws {
        var wire = encoder.container(keyedBy: WireKey.self)
        try wire.encode(key, forKey: "key")
        try wire.encodeIfPresent(value, forKey: "value")
        try wire.encodeIfPresent(label, forKey: "label")
        try wire.encode(EditPolicy(isEditable: isEditable), forKey: "edit_policy")
        try wire.encode(isOptional, forKey: "is_optional")
        try wire.encode(isOverridden, forKey: "is_overridden")
        try wire.encodeIfPresent(valueType, forKey: "value_type")
        try wire.encodeIfPresent(dynamicChoicesKey, forKey: "dynamic_choices_key")
        try wire.encodeIfPresent(defaultValue, forKey: "default_value")
        try wire.encode(choices, forKey: "choices")
    }
}

extension CategoryProperty.Choice: Codable {
    /// Reads one of a property's `choices`.
    public init(from decoder: any Decoder) throws {
        let wire = try decoder.container(keyedBy: WireKey.self)
        let value = try wire.required("value", wire.value("value", as: JSONValue.self))
        self.init(label: wire.value("label") ?? value.string ?? value.text, value: value)
    }

    /// Writes one of a property's `choices`.
    public func encode(to encoder: any Encoder) throws {
        var wire = encoder.container(keyedBy: WireKey.self)
        try wire.encode(label, forKey: "label")
        try wire.encode(value, forKey: "value")
    }
}

extension DigestSchedule.Frequency: Codable {}
extension DigestSchedule.Weekday: Codable {}
extension CategoryProperty.ValueType: Codable {}

/// The service's `edit_policy`: whether the user may change a value.
private enum EditPolicy: String, Codable {
    case locked, editable

    init(isEditable: Bool) { self = isEditable ? .editable : .locked }
}

extension KeyedEncodingContainer where Key == WireKey {
    /// Writes nothing for a nil part.
    fileprivate mutating func encode<Value: Encodable>(_ part: DigestSchedule.Part<Value>?, forKey key: WireKey) throws
    {
        guard let part else { return }
        var wire = nestedContainer(keyedBy: WireKey.self, forKey: key)
        try wire.encode(EditPolicy(isEditable: part.isEditable), forKey: "edit_policy")
        try wire.encodeIfPresent(part.defaultValue, forKey: "default_value")
        try wire.encodeIfPresent(part.value, forKey: "value")
    }
}
