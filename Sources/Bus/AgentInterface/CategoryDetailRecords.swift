package import DBus

/// The schedule of a category's digests as a dictionary. Parts that the schedule does not use are absent.
package typealias DigestRecord = Record<DigestKeys>

package struct DigestKeys: RecordKeys {
    package static let all = DigestKeys()

    /// The service's identifier.
    package let id = RecordKey("id", default: "")
    /// The name to display.
    package let label = RecordKey("label", default: "")
    /// Such as `daily`.
    package let frequency = RecordKey("frequency", default: "")
    /// The number of periods between two digests.
    package let interval = RecordKey("interval", default: UInt32(0))
    package let isDefault = RecordKey("default", default: false)
    package let isSelected = RecordKey("selected", default: false)
    package let time = OptionKey<String>("time")
    package let start = OptionKey<String>("start")
    package let weekdays = OptionKey<[String]>("weekdays")
    package let monthdays = OptionKey<[DigestMonthDay]>("monthdays")
    /// The parts that the user may change.
    package let editable = RecordKey("editable", default: [String]())
}

/// The argument `schedule` of ``AgentPreferences/setDigest``.
package typealias DigestChangeRecord = Record<DigestChangeKeys>

package struct DigestChangeKeys: RecordKeys {
    package static let all = DigestChangeKeys()

    package let id = OptionKey<String>("id")
    package let time = OptionKey<String>("time")
    package let start = OptionKey<String>("start")
    package let weekdays = OptionKey<[String]>("weekdays")
    package let monthdays = OptionKey<[DigestMonthDay]>("monthdays")
}

/// A day of the month, or the position among some weekdays of it.
package struct DigestMonthDay: DBusConvertible, Hashable {
    package var position: Int32
    /// Empty: every day counts.
    package var weekdays: [String]

    package init(_ position: Int32, weekdays: [String] = []) {
        self.position = position
        self.weekdays = weekdays
    }

    package init(dbus fields: Structure<Int32, [String]>) { (position, weekdays) = fields.elements }

    package var dbusRepresentation: Structure<Int32, [String]> { Structure(position, weekdays) }
}

/// A property of a category as a dictionary.
package typealias PropertyRecord = Record<PropertyKeys>

package struct PropertyKeys: RecordKeys {
    package static let all = PropertyKeys()

    /// The service's identifier within the category.
    package let id = RecordKey("property", default: "")
    /// The name to display.
    package let label = RecordKey("label", default: "")
    /// `integer`, `string` or `list`; empty: unknown.
    package let kind = RecordKey("type", default: "")
    package let value = AnyKey("value")
    package let defaultValue = AnyKey("default")
    /// The label and value of each allowed value; empty: any value of the type.
    package let choices = RecordKey("choices", default: [Structure<String, Value>]())
    package let isEditable = RecordKey("editable", default: false)
    package let isOptional = RecordKey("optional", default: false)
    package let isOverridden = RecordKey("overridden", default: false)
}
