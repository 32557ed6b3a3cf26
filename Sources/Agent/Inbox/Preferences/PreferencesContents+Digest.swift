extension PreferencesContents {
    /// When the service sends a category's notifications as one digest. Parts that the schedule does not use are nil.
    package struct Digest: Hashable, Sendable {
        /// A part of a schedule that the user may be allowed to choose.
        package enum Part: String, Sendable, CaseIterable {
            case time, start, weekdays, monthdays
        }

        /// A day of the month, or the position among some weekdays of it: the first Monday.
        package struct MonthDay: Hashable, Codable, Sendable {
            package var position: Int
            /// Empty: every day counts.
            package var weekdays: [String]

            package init(_ position: Int, weekdays: [String] = []) {
                self.position = position
                self.weekdays = weekdays
            }
        }

        /// The service's identifier, such as `daily`.
        package var id: String
        /// The name to display.
        package var label: String
        /// Such as `daily`; empty if unknown.
        package var frequency: String
        /// The number of periods between two digests; 0 if unknown.
        package var interval: Int
        package var isDefault: Bool
        /// Whether the user chose it.
        package var isSelected: Bool
        /// `HH:MM`.
        package var time: String?
        package var start: String?
        /// `mo`, `tu`, `we`, `th`, `fr`, `sa`, `su`.
        package var weekdays: [String]?
        package var monthdays: [MonthDay]?
        /// The parts that the user may change.
        package var editable: Set<Part>

        package init(
            id: String,
            label: String = "",
            frequency: String = "",
            interval: Int = 0,
            isDefault: Bool = false,
            isSelected: Bool = false,
            time: String? = nil,
            start: String? = nil,
            weekdays: [String]? = nil,
            monthdays: [MonthDay]? = nil,
            editable: Set<Part> = []
        ) {
            self.id = id
            self.label = label
            self.frequency = frequency
            self.interval = interval
            self.isDefault = isDefault
            self.isSelected = isSelected
            self.time = time
            self.start = start
            self.weekdays = weekdays
            self.monthdays = monthdays
            self.editable = editable
        }
    }
}

extension PreferencesContents.Digest {
    /// A change by the user. Parts that are nil stay as they are.
    package struct Change: Hashable, Codable, Sendable {
        /// The schedule; nil: the present one.
        package var id: String?
        package var time: String?
        package var start: String?
        package var weekdays: [String]?
        package var monthdays: [MonthDay]?

        package init(
            id: String? = nil,
            time: String? = nil,
            start: String? = nil,
            weekdays: [String]? = nil,
            monthdays: [MonthDay]? = nil
        ) {
            self.id = id
            self.time = time
            self.start = start
            self.weekdays = weekdays
            self.monthdays = monthdays
        }

        /// The parts that it changes.
        package var parts: Set<Part> {
            var parts: Set<Part> = []
            if time != nil { parts.insert(.time) }
            if start != nil { parts.insert(.start) }
            if weekdays != nil { parts.insert(.weekdays) }
            if monthdays != nil { parts.insert(.monthdays) }
            return parts
        }

        /// Whether nothing of this change remains after `later`.
        func isSuperseded(by later: Change) -> Bool { later.id != id || parts.isSubset(of: later.parts) }
    }

    /// Applies a change. The values of another schedule are unknown until the service returns them.
    mutating func apply(_ change: Change) {
        guard change.id ?? id == id else { return }
        isSelected = true
        time = change.time ?? time
        start = change.start ?? start
        weekdays = change.weekdays ?? weekdays
        monthdays = change.monthdays ?? monthdays
    }

    /// The change with this schedule's id, unless it has one.
    ///
    /// - Throws: `notEditable`.
    func checked(_ change: Change, of category: String) throws(ServiceFailure) -> Change {
        var change = change
        change.id = change.id ?? id
        guard change.id == id else { return change }
        for part in Part.allCases where change.parts.contains(part) && !editable.contains(part) {
            let names = Part.allCases.filter(editable.contains).map(\.rawValue).joined(separator: ", ")
            throw ServiceFailure(
                .notEditable,
                "Cannot change \"\(part.rawValue)\" of the digest schedule of \"\(category)\". "
                    + (names.isEmpty ? "Nothing of it can be changed." : "What can be changed: \(names).")
            )
        }
        return change
    }
}
