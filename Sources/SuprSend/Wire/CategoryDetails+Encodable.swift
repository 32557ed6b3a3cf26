import ClientKit

/// Encodes a category's digest schedule and properties in the service's form.
extension DigestSchedule: Encodable {
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

extension DigestSchedule.Frequency: Codable {}
extension DigestSchedule.Weekday: Codable {}

extension DigestSchedule.MonthDay: Encodable {
    /// Writes one of the service's `monthdays`.
    public func encode(to encoder: any Encoder) throws {
        var wire = encoder.container(keyedBy: WireKey.self)
        try wire.encode(position, forKey: "pos")
        try wire.encodeIfPresent(weekdays, forKey: "day")
    }
}

extension CategoryProperty: Encodable {
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

extension CategoryProperty.ValueType: Codable {}

extension CategoryProperty.Choice: Encodable {
    /// Writes one of a property's `choices`.
    public func encode(to encoder: any Encoder) throws {
        var wire = encoder.container(keyedBy: WireKey.self)
        try wire.encode(label, forKey: "label")
        try wire.encode(value, forKey: "value")
    }
}

/// The service's `edit_policy`: whether the user may change a value.
private enum EditPolicy: String, Encodable {
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
