import ClientKit

extension DigestSchedule: Codable {
    /// Reads the service's `digest_schedule`. Only the id is required.
    public init(from decoder: any Decoder) throws {
        let wire = try decoder.container(keyedBy: WireKey.self)
        self.init(
            id: try wire.required("id", wire.whole("id", Limits.id)),
            label: wire.text("label", Limits.name),
            frequency: wire.text("frequency", Limits.name).map { Frequency(rawValue: $0) },
            interval: wire.integer("interval").map { Int(clamping: $0) },
            isDefault: wire.value("is_default") ?? false,
            isUserSelected: wire.value("is_user_selected") ?? false,
            weekdays: wire.part("weekdays") { $0.weekdays($1) },
            monthdays: wire.part("monthdays") { $0.elements($1, of: MonthDay.self, upTo: Limits.monthDays) },
            time: wire.part("time") { $0.whole($1, Limits.name) },
            dtstart: wire.part("dtstart") { $0.whole($1, Limits.name) }
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
    private static var weekdayLimit: Int { 7 }

    fileprivate func weekdays(_ key: WireKey) -> [DigestSchedule.Weekday]? {
        elements(key, of: String.self, upTo: Self.weekdayLimit)?.map { name in
            DigestSchedule.Weekday(rawValue: name.cut(to: Limits.name))
        }
    }

    /// nil: absent, or too large.
    fileprivate func propertyValue(_ key: WireKey) -> JSONValue? {
        let value = value(key, as: JSONValue.self)
        return value.flatMap { $0.text.utf8.count > Limits.propertyValue ? nil : $0 }
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
            key: try wire.required("key", wire.whole("key", Limits.id)),
            value: wire.propertyValue("value"),
            label: wire.text("label", Limits.name),
            isEditable: wire.value("edit_policy") == EditPolicy.editable,
            isOptional: wire.value("is_optional") ?? false,
            isOverridden: wire.value("is_overridden") ?? false,
            valueType: wire.text("value_type", Limits.name).map { ValueType(rawValue: $0) },
            dynamicChoicesKey: wire.whole("dynamic_choices_key", Limits.name),
            defaultValue: wire.propertyValue("default_value"),
            choices: wire.elements("choices", upTo: Limits.choices) ?? []
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
        let value = try wire.required("value", wire.propertyValue("value"))
        let label = wire.text("label", Limits.name) ?? (value.string ?? value.text).cut(to: Limits.name)
        self.init(label: label, value: value)
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
