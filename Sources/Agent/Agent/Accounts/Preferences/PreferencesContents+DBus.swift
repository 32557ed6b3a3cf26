import AgentInterface
import DBus
import Inbox

/// The forms of `dbus/org.feedbell.Agent1.xml`.
extension PreferencesContents.Category {
    var dictionary: [String: Value] {
        var record = CategoryRecord()
        record.section = section
        record.sectionDescription = sectionDescription
        record.id = id
        record.name = name
        record.description = description
        record.preference = PreferenceSwitch(isOn: isOn)
        record.isEditable = isEditable
        record.channels = channels.map {
            CategoryChannel(name: $0.name, preference: PreferenceSwitch(isOn: $0.isOn), isEditable: $0.isEditable)
        }
        record.digest = digest?.dictionary ?? [:]
        record.properties = properties.map(\.dictionary)
        return record.values
    }
}

extension PreferencesContents.Digest {
    fileprivate var dictionary: [String: Value] {
        var record = DigestRecord()
        record.id = id
        record.label = label
        record.frequency = frequency
        record.interval = UInt32(clamping: interval)
        record.isDefault = isDefault
        record.isSelected = isSelected
        record.time = time
        record.start = start
        record.weekdays = weekdays
        record.monthdays = monthdays?.map { DigestMonthDay(Int32(clamping: $0.position), weekdays: $0.weekdays) }
        record.editable = Part.allCases.filter(editable.contains).map(\.rawValue)
        return record.values
    }
}

extension PreferencesContents.Property {
    fileprivate var dictionary: [String: Value] {
        var record = PropertyRecord()
        record.id = id
        record.label = label
        record.kind = kind?.rawValue ?? ""
        record.value = value?.dbusContent
        record.defaultValue = defaultValue?.dbusContent
        record.choices = choices.map { Structure($0.label, $0.value.dbusContent) }
        record.isEditable = isEditable && kind != nil
        record.isOptional = isOptional
        record.isOverridden = isOverridden
        return record.values
    }
}

extension PropertyValue {
    /// The content of the variant.
    fileprivate var dbusContent: Value {
        switch self {
        case .integer(let integer): .int64(integer)
        case .text(let text): .string(text)
        case .list(let list): Value(list)
        }
    }

    /// The limit of the length of a text, and of the number of a list's elements.
    private static let limits = (bytes: 4096, elements: 100)

    /// - Throws: `InvalidArgs` for a value of another type.
    init(_ content: Value) throws(DBusError) {
        switch content {
        case .byte(let value): self = .integer(Int64(value))
        case .int16(let value): self = .integer(Int64(value))
        case .uint16(let value): self = .integer(Int64(value))
        case .int32(let value): self = .integer(Int64(value))
        case .uint32(let value): self = .integer(Int64(value))
        case .int64(let value): self = .integer(value)
        case .uint64(let value) where value <= Int64.max: self = .integer(Int64(value))
        case .string(let text): self = .text(try Self.checked(text))
        default:
            guard let list = try? [String](dbus: content) else {
                throw DBusError(
                    .invalidArgs,
                    "A property has no value of type \"\(content.signature.text)\". "
                        + "Use an integer (x), a text (s) or a list of texts (as)."
                )
            }
            guard list.count <= Self.limits.elements else {
                throw DBusError(
                    .invalidArgs,
                    "A list of \(list.count) texts is too long. Use at most \(Self.limits.elements)."
                )
            }
            self = .list(try list.map { (text) throws(DBusError) in try Self.checked(text) })
        }
    }

    private static func checked(_ text: String) throws(DBusError) -> String {
        if text.utf8.count <= limits.bytes { return text }
        throw DBusError(
            .invalidArgs,
            "A text of \(text.utf8.count) bytes is too long. Use at most \(limits.bytes) bytes."
        )
    }
}
