import Basics

/// An account's preferences as the user sees them: as the service last returned them, with the changes of the outbox
/// that it has not confirmed. The only place where both are combined. A state machine without I/O.
///
/// ```
/// load   ─────────────► the service's answer ──┐
/// submit ─► outbox ─────► pending changes ─────┴─► shown ─► the categories that changed
///             └─► request ─► confirmed, or rejected: no longer pending
/// ```
package struct PreferenceSync: Equatable, Sendable {
    /// The age at which preferences are loaded again before they are used: another client may have changed them.
    private static let maximumAge = Duration.seconds(60)

    package private(set) var outbox: PreferenceOutbox
    private let rules: ServiceRules
    private var answers = PreferenceAnswers()
    /// When the last load ended.
    private var loaded: Duration?
    /// The last published preferences; nil: none were published.
    private var published: PreferencesContents?

    package init(rules: ServiceRules) {
        self.rules = rules
        outbox = PreferenceOutbox(delay: rules.preferenceDelay)
    }

    /// The preferences as the service last returned them; nil: they are not loaded.
    package var reported: PreferencesContents? { answers.contents }

    /// The preferences with the pending changes, as the user sees them; nil: they are not loaded.
    package var shown: PreferencesContents? { answers.contents?.applying(outbox.changes, by: rules) }

    /// Whether the preferences must be loaded before they are used. Times are durations since a fixed moment.
    package func isStale(now: Duration) -> Bool { loaded.map { now - $0 > Self.maximumAge } ?? true }

    // MARK: Events

    /// Handles an event of the outbox.
    ///
    /// - Parameter answer: The service's answer, if it confirmed changes; nil: a later load contains the result.
    package mutating func receive(_ event: PreferenceOutbox.Event, answer: PreferenceAnswer? = nil)
        -> [PreferenceOutbox.Effect]
    {
        if case .confirmed(let numbers) = event {
            let confirmed = outbox.entries.filter { numbers.contains($0.number) }
            answers.confirm(confirmed.map(\.change), answer, by: rules)
        }
        return outbox.receive(event)
    }

    /// A load begins. Returns its number.
    package mutating func beginLoad() -> UInt64 { answers.beginLoad() }

    /// - Parameter contents: nil: the load failed.
    package mutating func finishLoad(_ number: UInt64, _ contents: PreferencesContents?, now: Duration) {
        answers.finishLoad(number, contents)
        if contents != nil { loaded = now }
    }

    // MARK: Publication

    /// The categories that differ from those published last, which are then published. nil: nothing differs. Empty: the
    /// difference is in the levels of channels, or in which categories there are and in their order.
    package mutating func takeDifference() -> [PreferencesContents.Category]? {
        guard let shown else { return nil }
        defer { published = shown }
        guard let published, published != shown else { return nil }
        let known = Set(published.categories)
        return shown.categories.filter { !known.contains($0) }
    }
}
