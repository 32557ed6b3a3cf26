/// The times at which the service sends a category's notifications as one digest.
public struct DigestSchedule: Sendable, Hashable, Identifiable {
    /// The id, such as `daily`.
    public var id: String
    /// The label for the user.
    public var label: String?
    /// The frequency.
    public var frequency: Frequency?
    /// The number of periods of ``frequency`` between two digests.
    public var interval: Int?
    /// Whether the schedule is the category's default.
    public var isDefault: Bool
    /// Whether the user chose it.
    public var isUserSelected: Bool
    /// The days of the week; nil: not used.
    public var weekdays: Part<[Weekday]>?
    /// The days of the month; nil: not used.
    public var monthdays: Part<[MonthDay]>?
    /// The time of day, such as `09:00`; nil: not used.
    public var time: Part<String>?
    /// The start; nil: not used.
    public var dtstart: Part<String>?

    /// Creates a schedule, such as for a preview or a test.
    public init(
        id: String,
        label: String? = nil,
        frequency: Frequency? = nil,
        interval: Int? = nil,
        isDefault: Bool = false,
        isUserSelected: Bool = false,
        weekdays: Part<[Weekday]>? = nil,
        monthdays: Part<[MonthDay]>? = nil,
        time: Part<String>? = nil,
        dtstart: Part<String>? = nil
    ) {
        self.id = id
        self.label = label
        self.frequency = frequency
        self.interval = interval
        self.isDefault = isDefault
        self.isUserSelected = isUserSelected
        self.weekdays = weekdays
        self.monthdays = monthdays
        self.time = time
        self.dtstart = dtstart
    }

    /// A part of a schedule that the user may be allowed to choose.
    public struct Part<Value: Sendable & Hashable>: Sendable, Hashable {
        /// Whether the part may be changed.
        public var isEditable: Bool
        /// The value without the user's choice.
        public var defaultValue: Value?
        /// The user's choice; nil: none.
        public var value: Value?

        /// Creates a part, such as for a preview or a test.
        public init(isEditable: Bool, defaultValue: Value? = nil, value: Value? = nil) {
            self.isEditable = isEditable
            self.defaultValue = defaultValue
            self.value = value
        }
    }

    /// A frequency. Unknown values are kept.
    public struct Frequency: RawRepresentable, Sendable, Hashable {
        /// The service's value.
        public var rawValue: String
        /// Creates a frequency from any value of the service.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Each notification at once, without a digest.
        public static let instantly = Frequency(rawValue: "instantly")
        /// Every ``DigestSchedule/interval`` minutes.
        public static let minutely = Frequency(rawValue: "minutely")
        /// Every ``DigestSchedule/interval`` hours.
        public static let hourly = Frequency(rawValue: "hourly")
        /// Every ``DigestSchedule/interval`` days.
        public static let daily = Frequency(rawValue: "daily")
        /// On days of the week.
        public static let weekly = Frequency(rawValue: "weekly")
        /// Monday to Friday.
        public static let weekdays = Frequency(rawValue: "weekly_mo2fr")
        /// On days of the month.
        public static let monthly = Frequency(rawValue: "monthly")
    }

    /// A day of the week. Unknown values are kept.
    public struct Weekday: RawRepresentable, Sendable, Hashable {
        /// The service's value.
        public var rawValue: String
        /// Creates a day from any value of the service.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Sunday.
        public static let sunday = Weekday(rawValue: "su")
        /// Monday.
        public static let monday = Weekday(rawValue: "mo")
        /// Tuesday.
        public static let tuesday = Weekday(rawValue: "tu")
        /// Wednesday.
        public static let wednesday = Weekday(rawValue: "we")
        /// Thursday.
        public static let thursday = Weekday(rawValue: "th")
        /// Friday.
        public static let friday = Weekday(rawValue: "fr")
        /// Saturday.
        public static let saturday = Weekday(rawValue: "sa")
    }

    /// A day of a month, such as the 15th or the first Monday.
    public struct MonthDay: Sendable, Hashable {
        /// The service's `pos`: the day of the month, or the position among the days in ``weekdays``.
        public var position: Int
        /// The weekdays that are counted; nil: all.
        public var weekdays: [Weekday]?

        /// Creates a day with this position.
        public init(position: Int, weekdays: [Weekday]? = nil) {
            self.position = position
            self.weekdays = weekdays
        }
    }

    /// A change of a schedule. Nil parts keep their values.
    public struct Update: Sendable, Hashable {
        /// The schedule's ``DigestSchedule/id``.
        public var id: String
        /// The time of day, such as `09:00`.
        public var time: String?
        /// The start.
        public var dtstart: String?
        /// The days of the week.
        public var weekdays: [Weekday]?
        /// The days of the month.
        public var monthdays: [MonthDay]?

        /// Creates a change to the schedule `id`, with these parts.
        public init(
            id: String,
            time: String? = nil,
            dtstart: String? = nil,
            weekdays: [Weekday]? = nil,
            monthdays: [MonthDay]? = nil
        ) {
            self.id = id
            self.time = time
            self.dtstart = dtstart
            self.weekdays = weekdays
            self.monthdays = monthdays
        }
    }

    /// Applies a change. A change to another schedule has no effect here, because that schedule is unknown.
    mutating func apply(_ update: Update) {
        guard update.id == id else { return }
        isUserSelected = true
        if let chosen = update.time { time?.value = chosen }
        if let chosen = update.dtstart { dtstart?.value = chosen }
        if let chosen = update.weekdays { weekdays?.value = chosen }
        if let chosen = update.monthdays { monthdays?.value = chosen }
    }
}
