import ClientKit
import Inbox
import SuprSend

// MARK: From the service

extension PreferencesContents {
    init(_ data: PreferenceData) {
        self.init(
            categories: (data.sections ?? []).flatMap { section in
                section.categories.map { category in
                    var category = Category(category)
                    category.section = section.name ?? ""
                    category.sectionDescription = section.description ?? ""
                    return category
                }
            },
            levels: (data.channelPreferences ?? []).map { .init(channel: $0.channel, isOnlyRequired: $0.isRestricted) }
        )
    }
}

extension PreferencesContents.Category {
    /// A category without its section.
    init(_ category: PreferenceCategory) {
        self.init(
            id: category.slug,
            name: category.name,
            description: category.description ?? "",
            isOn: category.preference == .optIn,
            isEditable: category.isEditable,
            channels: category.channels.map {
                .init(name: $0.channel, isOn: $0.preference == .optIn, isEditable: $0.isEditable)
            },
            digest: category.digestSchedule.map { .init($0) },
            properties: category.properties.map { .init($0) }
        )
    }
}

extension PreferencesContents.Digest {
    fileprivate init(_ schedule: DigestSchedule) {
        let parts: [(Part, Bool?)] = [
            (.time, schedule.time?.isEditable), (.start, schedule.dtstart?.isEditable),
            (.weekdays, schedule.weekdays?.isEditable), (.monthdays, schedule.monthdays?.isEditable),
        ]
        self.init(
            id: schedule.id,
            label: schedule.label ?? "",
            frequency: schedule.frequency?.rawValue ?? "",
            interval: schedule.interval ?? 0,
            isDefault: schedule.isDefault,
            isSelected: schedule.isUserSelected,
            time: schedule.time?.chosen,
            start: schedule.dtstart?.chosen,
            weekdays: schedule.weekdays?.chosen?.map(\.rawValue),
            monthdays: schedule.monthdays?.chosen?.map {
                MonthDay($0.position, weekdays: ($0.weekdays ?? []).map(\.rawValue))
            },
            editable: Set(parts.filter { $0.1 == true }.map(\.0))
        )
    }
}

extension DigestSchedule.Part {
    /// The user's choice, or the default.
    fileprivate var chosen: Value? { value ?? defaultValue }
}

extension PreferencesContents.Property {
    fileprivate init(_ property: CategoryProperty) {
        let kind: Kind? =
            switch property.valueType {
            case .integer?: .integer
            case .string?, .stringChoice?, .stringDynamic?: .text
            case .listChoice?, .listDynamic?: .list
            default: nil
            }
        self.init(
            id: property.key,
            label: property.label ?? "",
            kind: kind,
            value: property.value.flatMap { PropertyValue($0) },
            defaultValue: property.defaultValue.flatMap { PropertyValue($0) },
            choices: property.choices.compactMap { choice in
                PropertyValue(choice.value).map { Choice(label: choice.label, value: $0) }
            },
            isEditable: property.isEditable,
            isOptional: property.isOptional,
            isOverridden: property.isOverridden
        )
    }
}

extension PropertyValue {
    /// nil for null. A value of an unknown type is its JSON.
    fileprivate init?(_ json: JSONValue) {
        if json == .null { return nil }
        if let integer = json.integer {
            self = .integer(integer)
        } else if let text = json.string {
            self = .text(text)
        } else if let list = json.array, list.allSatisfy({ $0.string != nil }) {
            self = .list(list.compactMap(\.string))
        } else {
            self = .text(json.text)
        }
    }

    fileprivate var json: JSONValue {
        switch self {
        case .integer(let integer): .integer(integer)
        case .text(let text): .string(text)
        case .list(let list): .array(list.map(JSONValue.string))
        }
    }
}

// MARK: To the service

extension PreferenceCategory {
    /// The members on which a request depends: without the digest schedule and the properties.
    init(_ category: PreferencesContents.Category) {
        self.init(
            name: category.name,
            slug: category.id,
            description: category.description,
            preference: category.isOn ? .optIn : .optOut,
            isEditable: category.isEditable,
            channels: category.channels.map {
                ChannelPreference(
                    channel: $0.name,
                    preference: $0.isOn ? .optIn : .optOut,
                    isEditable: $0.isEditable
                )
            }
        )
    }
}

extension PreferenceEdit {
    /// nil: the change is not one of a category.
    init?(_ change: PreferenceChange, of category: PreferencesContents.Category) {
        switch change {
        case .category(let id, let isOn): self = .category(id, isOn ? .optIn : .optOut)
        case .channel(let channel, let id, let isOn): self = .channel(channel, isOn ? .optIn : .optOut, category: id)
        case .digest(let change, let id):
            let update = DigestSchedule.Update(
                id: change.id ?? category.digest?.id ?? "",
                time: change.time,
                dtstart: change.start,
                weekdays: change.weekdays?.map { .init(rawValue: $0) },
                monthdays: change.monthdays?.map { day in
                    let weekdays = day.weekdays.map { DigestSchedule.Weekday(rawValue: $0) }
                    return .init(position: day.position, weekdays: weekdays.isEmpty ? nil : weekdays)
                }
            )
            self = .digest(update, category: id)
        case .property(let property, let value, let id):
            self = .properties([.init(key: property, value: value.json)], category: id)
        case .overall, .topic: return nil
        }
    }
}
