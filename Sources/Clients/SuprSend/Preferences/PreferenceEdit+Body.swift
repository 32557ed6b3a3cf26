import ClientKit

/// The bodies of requests.
extension PreferenceEdit {
    /// The body of one request for several changes of a category, in their order.
    ///
    /// - Parameters:
    ///   - known: The category as the service last returned it; nil: unknown.
    ///   - showsOptOutChannels: Of the request's query.
    static func body(
        of edits: [PreferenceEdit],
        on known: PreferenceCategory?,
        showsOptOutChannels: Bool = true
    ) -> JSONValue {
        var category = known
        if category != nil { for edit in edits { edit.apply(to: &category!) } }
        var body: [String: JSONValue] = ["preference": .string(category?.preference.rawValue ?? "")]
        if namesChannels(edits, known, category, showsOptOutChannels) {
            let optedOut = (category?.channels ?? []).filter { $0.preference == .optOut }
            body["opt_out_channels"] = .array(optedOut.map { .string($0.channel) })
        }
        var digest: DigestSchedule.Update?
        var properties: [CategoryProperty.Update] = []
        for edit in edits {
            switch edit {
            case .digest(let update, _): digest = digest.map { $0.merging(update) } ?? update
            case .properties(let updates, _):
                properties.removeAll { old in updates.contains { $0.key == old.key } }
                properties += updates
            case .category, .channel, .level: break
            }
        }
        if let digest { body["digest_schedule"] = digest.json }
        if !properties.isEmpty {
            body["properties"] = .array(properties.map { ["key": .string($0.key), "value": $0.value] })
        }
        return .object(body)
    }

    /// Whether the request names the channels that are opted out. It replaces the whole choice: without the list, the
    /// service opts in to all editable channels, which only switching on the category means.
    private static func namesChannels(
        _ edits: [PreferenceEdit],
        _ known: PreferenceCategory?,
        _ category: PreferenceCategory?,
        _ showsOptOutChannels: Bool
    ) -> Bool {
        guard edits.contains(where: \.isToggle) else { return category?.preference == .optIn }
        let isSwitchedOn = category?.preference == .optIn && known?.preference != .optIn
        return !isSwitchedOn || !showsOptOutChannels || edits.contains(where: \.isOfChannel)
    }

    private var isOfChannel: Bool { if case .channel = self { true } else { false } }
}

extension ChannelLevel {
    /// The body of the request for the level of a channel across all categories.
    func body(ofChannel channel: String) -> JSONValue {
        ["channel_preferences": [["channel": .string(channel), "is_restricted": .bool(self == .required)]]]
    }
}

extension DigestSchedule.Update {
    var json: JSONValue {
        func list(_ days: [DigestSchedule.Weekday]) -> JSONValue { .array(days.map { .string($0.rawValue) }) }
        var json: [String: JSONValue] = ["id": .string(id)]
        if let time { json["time"] = .string(time) }
        if let dtstart { json["dtstart"] = .string(dtstart) }
        if let weekdays { json["weekdays"] = list(weekdays) }
        if let monthdays {
            json["monthdays"] = .array(
                monthdays.map { day in
                    var item: [String: JSONValue] = ["pos": .integer(Int64(day.position))]
                    if let weekdays = day.weekdays { item["day"] = list(weekdays) }
                    return .object(item)
                }
            )
        }
        return .object(json)
    }

    /// This change, and then a later one. A change to another schedule replaces it.
    fileprivate func merging(_ later: Self) -> Self {
        guard later.id == id else { return later }
        return Self(
            id: id,
            time: later.time ?? time,
            dtstart: later.dtstart ?? dtstart,
            weekdays: later.weekdays ?? weekdays,
            monthdays: later.monthdays ?? monthdays
        )
    }
}
