package import DBus

/// A category of the preferences as a dictionary: an element of the result of ``AgentPreferences/list``.
package typealias CategoryRecord = Record<CategoryKeys>

package struct CategoryKeys: RecordKeys {
    package static let all = CategoryKeys()

    /// The heading; empty for none.
    package let section = RecordKey("section", default: "")
    package let sectionDescription = RecordKey("section-description", default: "")
    /// The service's identifier.
    package let id = RecordKey("category", default: "")
    /// The name to display.
    package let name = RecordKey("name", default: "")
    package let description = RecordKey("description", default: "")
    package let preference = RecordKey("preference", default: PreferenceSwitch.off)
    package let isEditable = RecordKey("editable", default: false)
    package let channels = RecordKey("channels", default: [CategoryChannel]())
    /// A ``DigestRecord``; empty: the category has no digests.
    package let digest = RecordKey("digest", default: [String: Value]())
    /// ``PropertyRecord``s.
    package let properties = RecordKey("properties", default: [[String: Value]]())
}

/// A channel of a category.
package struct CategoryChannel: DBusConvertible, Hashable {
    package var name: String
    package var preference: PreferenceSwitch
    package var isEditable: Bool

    package init(name: String, preference: PreferenceSwitch, isEditable: Bool) {
        self.name = name
        self.preference = preference
        self.isEditable = isEditable
    }

    package init(dbus fields: Structure<String, PreferenceSwitch, Bool>) {
        (name, preference, isEditable) = fields.elements
    }

    package var dbusRepresentation: Structure<String, PreferenceSwitch, Bool> {
        Structure(name, preference, isEditable)
    }
}
