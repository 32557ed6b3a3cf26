import AgentInterface
import DBus
import Inbox

extension PreferencesContents.Category {
    /// The category in the form of `dbus/org.feedbell.Agent1.xml`.
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
        return record.values
    }
}
