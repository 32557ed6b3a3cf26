import Basics
import Inbox
import TestSupport

/// A mirror whose user's changes are sent at once, several at a time, without the agent's outbox.
struct DirectUser<Mirror: SimulatedMirror>: MirrorSystem {
    var mirror: Mirror
    private(set) var view = MirrorView()
    var fresh: FreshNotifications

    init(seed: UInt64) {
        mirror = Mirror(seed: seed)
        mirror.start(after: DeliveryMarks(), now: simulationStart)
        fresh = FreshNotifications(mirror)
    }

    /// What differs from the service, at rest.
    var problems: [String] {
        view.differences(from: mirror) + view.arrivals.problems(fresh: fresh.fresh, old: fresh.old)
    }

    var isCaughtUp: Bool { view.caughtUp != nil }

    private mutating func report() {
        for event in mirror.takeReports() { view.receive(event) }
        _ = mirror.takeOutcomes()
    }

    mutating func connected(isContinuous: Bool, now: Timestamp) {
        mirror.connected(isContinuous: isContinuous, now: now)
        report()
    }

    mutating func receive(_ event: Mirror.Event, now: Timestamp) {
        mirror.receive(event, now: now)
        report()
    }

    mutating func act(_ chance: inout SeededGenerator, now: Timestamp) {
        guard Bool.random(using: &chance), let id = randomID(&chance) else { return mirror.act(&chance, now: now) }
        guard let change = Change.random(on: id, Mirror.capabilities, &chance) else { return }
        mirror.begin(TimestampedChange(change, at: now), isDelayed: false, now: now)
        report()
    }

    private func randomID(_ chance: inout SeededGenerator) -> NotificationID? {
        mirror.states.keys.sorted().randomElement(using: &chance).map { NotificationID($0) }
    }

    mutating func takeQuestions(now: Timestamp) -> [Mirror.Question] {
        defer { report() }
        return mirror.takeQuestions(now: now)
    }

    mutating func finish(_ question: Mirror.Question, _ answer: Result<Mirror.Answer, RequestFailure>, now: Timestamp) {
        mirror.finish(question, answer, now: now)
        report()
    }

    var nextDeadline: Timestamp? { mirror.nextDeadline }

    mutating func wake(now: Timestamp) {
        mirror.wake(now: now)
        report()
    }

    mutating func suspend(cancelling questions: [Mirror.Question], now: Timestamp) {
        mirror.suspend(cancelling: questions, now: now)
        report()
    }

    mutating func setClock(by milliseconds: Int64, now: Timestamp) { mirror.setClock(by: milliseconds, now: now) }
}

extension Change {
    /// A change of a notification, or of all, that a service supports.
    static func random(
        on id: NotificationID,
        _ capabilities: Capabilities,
        _ chance: inout SeededGenerator
    ) -> Change? {
        let change: Change =
            [
                .read(id), .read(id), .unread(id), .unread(id), .seen([id]), .interacted(id), .archive(id),
                .unarchive(id), .delete(id), .allRead, .badgeReset,
            ].randomElement(using: &chance)!
        return capabilities.contains(change.requirement) ? change : nil
    }
}
