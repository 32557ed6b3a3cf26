import Basics
import Inbox
import TestSupport

/// A mirror with a user. The service's part of the simulation is the mirror's; it adds which notifications have to
/// arrive.
protocol MirrorSystem: SimulatedSystem
where Event == Mirror.Event, Question == Mirror.Question, Answer == Mirror.Answer {
    associatedtype Mirror: SimulatedMirror

    var mirror: Mirror { get set }
    var fresh: FreshNotifications { get set }
    /// Whether the user's client has loaded the list, in any of its runs.
    var isCaughtUp: Bool { get }
    /// The service performed a request of the user that changed something.
    mutating func performed(_ step: ChangeStep)
}

extension MirrorSystem {
    static var keepsEvents: Bool { Mirror.keepsEvents }
    static var longestStep: Int64 { Mirror.longestStep }

    mutating func performed(_ step: ChangeStep) {}

    mutating func publish(_ chance: inout SeededGenerator, now: Timestamp) -> [Mirror.Event] {
        changed(mirror.publish(&chance, now: now))
    }

    mutating func changeElsewhere(_ chance: inout SeededGenerator, now: Timestamp) -> [Mirror.Event] {
        changed(mirror.changeElsewhere(&chance, now: now))
    }

    mutating func serve(_ question: Mirror.Question, now: Timestamp) -> (Mirror.Answer, [Mirror.Event]) {
        // A notification that exists at the first load need not arrive, and does if its event comes.
        if mirror.isPage(question), !isCaughtUp { fresh.removeAll() }
        let (answer, events) = mirror.serve(question, now: now)
        if let step = mirror.change(of: question) {
            fresh.remove(step.change.change.ids)
            if !events.isEmpty { performed(step) }
        }
        return (answer, changed(events))
    }

    /// Each change at the service has an event.
    private mutating func changed(_ events: [Mirror.Event]) -> [Mirror.Event] {
        if !events.isEmpty { fresh.update(mirror.states) }
        for id in events.compactMap(mirror.unarchived) { fresh.unarchive(id) }
        return events
    }

    func maySend(_ question: Mirror.Question) -> Bool { mirror.maySend(question) }
    func mayFail(_ question: Mirror.Question) -> Bool { mirror.mayFail(question) }
    func isPage(_ question: Mirror.Question) -> Bool { mirror.isPage(question) }
    func commute(_ first: Mirror.Event, _ second: Mirror.Event) -> Bool { mirror.commute(first, second) }
    func endsWithRun(_ question: Mirror.Question) -> Bool { mirror.endsWithRun(question) }
    mutating func resume(now: Timestamp) { mirror.resume(now: now) }
}
