/// The digest schedule and properties of a category of preferences. A PATCH changes only the members that it contains.
enum CategoryDetails {
    /// The schedule after setting the `value` of its parts to the choice.
    static func digest(_ schedule: JSON?, choosing choice: JSON) throws(Refusal) -> JSON {
        guard var schedule = schedule?.object, let id = schedule["id"]?.string else {
            throw .invalid("digest_schedule", "the category has none")
        }
        guard let choice = choice.object, choice["id"]?.string == id else {
            throw .invalid("digest_schedule.id", "must be one of \(id)")
        }
        for (name, value) in choice.sorted(by: { $0.key < $1.key }) where name != "id" {
            guard var part = schedule[name]?.object, ["time", "dtstart", "weekdays", "monthdays"].contains(name) else {
                throw .invalid("digest_schedule.\(name)", "is not a part of this schedule")
            }
            guard part["edit_policy"]?.string == "editable" else {
                throw .invalid("digest_schedule.\(name)", "is locked")
            }
            let isValid =
                switch name {
                case "time": value.string.map(isTime) ?? false
                case "weekdays": areWeekdays(value)
                case "monthdays": value.array?.allSatisfy(isMonthDay) ?? false
                default: value.string?.isEmpty == false
                }
            if !isValid { throw .invalid("digest_schedule.\(name)", "is not valid") }
            part["value"] = value
            schedule[name] = .object(part)
        }
        schedule["is_user_selected"] = true
        return .object(schedule)
    }

    /// The properties after setting the values of a list of `{key, value}`.
    static func properties(_ properties: JSON?, choosing choices: JSON) throws(Refusal) -> JSON {
        guard let choices = choices.array, !choices.isEmpty else {
            throw .invalid("properties", "must be a list of at least one property")
        }
        var properties = properties?.array ?? []
        for (position, choice) in choices.enumerated() {
            let field = "properties[\(position)]"
            guard let choice = choice.object, Set(choice.keys) == ["key", "value"], let value = choice["value"] else {
                throw .invalid(field, "must have key and value")
            }
            guard let index = properties.firstIndex(where: { $0["key"] == choice["key"] }),
                var property = properties[index].object
            else { throw .invalid(field + ".key", "is not a property of this category") }
            guard property["edit_policy"]?.string == "editable" else { throw .invalid(field, "is locked") }
            switch (property["value_type"]?.string, value) {
            case ("integer", .integer), ("string", .string), ("string_choice", .string), ("string_dynamic", .string):
                break
            case ("list_choice", _), ("list_dynamic", _):
                if value.strings == nil { throw .invalid(field + ".value", "must be a list of strings") }
            default: throw .invalid(field + ".value", "has the wrong type")
            }
            let allowed = (property["choices"]?.array ?? []).compactMap { $0["value"] }
            guard allowed.isEmpty || (value.array ?? [value]).allSatisfy(allowed.contains) else {
                throw .invalid(field + ".value", "is not one of the choices")
            }
            property["value"] = value
            property["is_overridden"] = true
            properties[index] = .object(property)
        }
        return .array(properties)
    }

    /// `HH:MM`.
    private static func isTime(_ text: String) -> Bool {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ $0.utf8.count == 2 }), let hour = Int(parts[0]),
            let minute = Int(parts[1])
        else { return false }
        return (0..<24).contains(hour) && (0..<60).contains(minute)
    }

    private static func areWeekdays(_ value: JSON) -> Bool {
        guard let days = value.strings, !days.isEmpty else { return false }
        return days.allSatisfy(["su", "mo", "tu", "we", "th", "fr", "sa"].contains)
    }

    /// `{pos, day?}`.
    private static func isMonthDay(_ value: JSON) -> Bool {
        guard let day = value.object, case .integer? = day["pos"], day.keys.allSatisfy(["pos", "day"].contains) else {
            return false
        }
        return day["day"].map(areWeekdays) ?? true
    }
}
