import Basics
import Inbox
import TestSupport

/// A mirror whose user's changes are sent at once, several at a time, without the agent's outbox.
struct DirectUser<Base: SimulatedMirror>: SimulatedSystem {
    static var keepsEvents: Bool { Base.keepsEvents }
    static var longestStep: Int64 { Base.longestStep }

    private(set) var mirror: Base
    private(set) var view = MirrorView()
    private(set) var fresh: FreshNotifications

    init(seed: UInt64) {
        mirror = Base(seed: seed)
        mirror.start(after: DeliveryMarks(), now: simulationStart)
        fresh = FreshNotifications(mirror)
    }

    /// What differs from the service, at rest.
    var problems: [String] {
        view.differences(from: mirror) + view.arrivals.problems(fresh: fresh.fresh, old: fresh.old)
    }

    /// Each change at the service has an event.
    private mutating func changed(_ events: [Base.Event]) -> [Base.Event] {
        if !events.isEmpty { fresh.update(mirror.states) }
        for id in events.compactMap(mirror.unarchived) { fresh.unarchive(id) }
        return events
    }

    private mutating func report() {
        for event in mirror.takeReports() { view.receive(event) }
        _ = mirror.takeOutcomes()
    }

    mutating func publish(_ chance: inout SeededGenerator, now: Timestamp) -> [Base.Event] {
        changed(mirror.publish(&chance, now: now))
    }

    mutating func changeElsewhere(_ chance: inout SeededGenerator, now: Timestamp) -> [Base.Event] {
        changed(mirror.changeElsewhere(&chance, now: now))
    }

    mutating func serve(_ question: Base.Question, now: Timestamp) -> (Base.Answer, [Base.Event]) {
        // A notification that exists at the first load need not arrive, and does if its event comes.
        if mirror.isPage(question), view.caughtUp == nil { fresh.removeAll() }
        let (answer, events) = mirror.serve(question, now: now)
        if let step = mirror.change(of: question) { fresh.remove(step.change.change.ids) }
        return (answer, changed(events))
    }

    func maySend(_ question: Base.Question) -> Bool { mirror.maySend(question) }
    func mayFail(_ question: Base.Question) -> Bool { mirror.mayFail(question) }
    func isPage(_ question: Base.Question) -> Bool { mirror.isPage(question) }
    func commute(_ first: Base.Event, _ second: Base.Event) -> Bool { mirror.commute(first, second) }

    mutating func connected(isContinuous: Bool, now: Timestamp) {
        mirror.connected(isContinuous: isContinuous, now: now)
        report()
    }

    mutating func receive(_ event: Base.Event, now: Timestamp) {
        mirror.receive(event, now: now)
        report()
    }

    mutating func act(_ chance: inout SeededGenerator, now: Timestamp) {
        guard Bool.random(using: &chance), let id = randomID(&chance) else { return mirror.act(&chance, now: now) }
        guard let change = Change.random(on: id, Base.capabilities, &chance) else { return }
        mirror.begin(TimestampedChange(change, at: now), isDelayed: false, now: now)
        report()
    }

    private func randomID(_ chance: inout SeededGenerator) -> NotificationID? {
        mirror.states.keys.sorted().randomElement(using: &chance).map { NotificationID($0) }
    }

    mutating func takeQuestions(now: Timestamp) -> [Base.Question] {
        defer { report() }
        return mirror.takeQuestions(now: now)
    }

    mutating func finish(_ question: Base.Question, _ answer: Result<Base.Answer, RequestFailure>, now: Timestamp) {
        mirror.finish(question, answer, now: now)
        report()
    }

    var nextDeadline: Timestamp? { mirror.nextDeadline }

    mutating func wake(now: Timestamp) {
        mirror.wake(now: now)
        report()
    }

    func endsWithRun(_ question: Base.Question) -> Bool { mirror.endsWithRun(question) }

    mutating func suspend(cancelling questions: [Base.Question], now: Timestamp) {
        mirror.suspend(cancelling: questions, now: now)
        report()
    }

    mutating func resume(now: Timestamp) { mirror.resume(now: now) }

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
