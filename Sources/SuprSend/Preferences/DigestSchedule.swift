/// When a category's notifications are collected and sent as one (suprsend.md §2.5).
public struct DigestSchedule: Sendable, Hashable, Identifiable {
    /// Its id, such as `daily`.
    public var id: String
    /// Its name for a person.
    public var label: String?
    /// How often.
    public var frequency: Frequency?
    /// Every so many periods of ``frequency``.
    public var interval: Int?
    /// Whether it is the category's own choice.
    public var isDefault: Bool
    /// Whether the person chose it.
    public var isUserSelected: Bool
    /// The days of a week; nil: they do not matter.
    public var weekdays: Part<[Weekday]>?
    /// The days of a month; nil: they do not matter.
    public var monthdays: Part<[MonthDay]>?
    /// The time of day, such as `09:00`; nil: it does not matter.
    public var time: Part<String>?
    /// When it begins; nil: it does not matter.
    public var dtstart: Part<String>?

    package init(
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

    /// Something of a schedule that a person may be allowed to choose.
    public struct Part<Value: Sendable & Hashable>: Sendable, Hashable {
        /// Whether it may be changed.
        public var isEditable: Bool
        /// What it is without the person's choice.
        public var defaultValue: Value?
        /// What the person chose; nil: nothing.
        public var value: Value?
    }

    /// A frequency. One that came later than this library is kept as it is.
    public struct Frequency: RawRepresentable, Sendable, Hashable {
        /// The service's word.
        public var rawValue: String
        /// Any word.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Not collected.
        public static let instantly = Frequency(rawValue: "instantly")
        /// Every so many minutes.
        public static let minutely = Frequency(rawValue: "minutely")
        /// Every so many hours.
        public static let hourly = Frequency(rawValue: "hourly")
        /// Every so many days.
        public static let daily = Frequency(rawValue: "daily")
        /// On days of a week.
        public static let weekly = Frequency(rawValue: "weekly")
        /// Monday to Friday.
        public static let weekdays = Frequency(rawValue: "weekly_mo2fr")
        /// On days of a month.
        public static let monthly = Frequency(rawValue: "monthly")
    }

    /// A day of the week. A word that came later than this library is kept as it is.
    public struct Weekday: RawRepresentable, Sendable, Hashable {
        /// The service's word.
        public var rawValue: String
        /// Any word.
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
        /// The service's `pos`: the day of the month, or with ``weekdays`` which of them.
        public var position: Int
        /// The weekdays that count; nil: all.
        public var weekdays: [Weekday]?

        /// The day with this position.
        public init(position: Int, weekdays: [Weekday]? = nil) {
            self.position = position
            self.weekdays = weekdays
        }
    }

    /// A person's choice of a schedule. What is nil stays.
    public struct Update: Sendable, Hashable {
        /// The schedule's ``DigestSchedule/id``.
        public var id: String
        /// The time of day, such as `09:00`.
        public var time: String?
        /// When it begins.
        public var dtstart: String?
        /// The days of a week.
        public var weekdays: [Weekday]?
        /// The days of a month.
        public var monthdays: [MonthDay]?

        /// The choice of the schedule `id`, with these parts.
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

    /// Shows the choice. Nothing else is known here about a schedule with another id.
    mutating func apply(_ update: Update) {
        guard update.id == id else { return }
        isUserSelected = true
        if let chosen = update.time { time?.value = chosen }
        if let chosen = update.dtstart { dtstart?.value = chosen }
        if let chosen = update.weekdays { weekdays?.value = chosen }
        if let chosen = update.monthdays { monthdays?.value = chosen }
    }
}
