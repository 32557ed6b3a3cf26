package import Basics
package import SeededRandom

/// A service and its client as values, without clock and I/O: what a ``Simulation`` runs.
package protocol SimulatedSystem {
    associatedtype Event
    associatedtype Question
    associatedtype Answer

    /// Whether the service can send the events of a lost connection over the next one.
    static var keepsEvents: Bool { get }
    /// The longest time between two steps, in milliseconds.
    static var longestStep: Int64 { get }

    // MARK: The service

    /// A sender publishes a notification. Returns the events.
    mutating func publish(_ chance: inout SeededGenerator, now: Timestamp) -> [Event]
    /// Another device changes something.
    mutating func changeElsewhere(_ chance: inout SeededGenerator, now: Timestamp) -> [Event]
    /// The service performs a request.
    mutating func serve(_ question: Question, now: Timestamp) -> (Answer, [Event])
    /// Whether it is the turn of a request.
    func maySend(_ question: Question) -> Bool
    /// Whether the client knows what to do if a request fails.
    func mayFail(_ question: Question) -> Bool
    /// Whether a request is one for a page of a list.
    func isPage(_ question: Question) -> Bool
    /// Whether two events may arrive in either order.
    func commute(_ first: Event, _ second: Event) -> Bool

    // MARK: The client

    mutating func connected(isContinuous: Bool, now: Timestamp)
    mutating func disconnected(now: Timestamp)
    mutating func receive(_ event: Event, now: Timestamp)
    /// The user, or an app, does something.
    mutating func act(_ chance: inout SeededGenerator, now: Timestamp)
    /// The requests to send now.
    mutating func takeQuestions(now: Timestamp) -> [Question]
    mutating func finish(_ question: Question, _ answer: Result<Answer, RequestFailure>, now: Timestamp)
    /// When to call ``wake(now:)``.
    var nextDeadline: Timestamp? { get }
    mutating func wake(now: Timestamp)
    /// Whether a request ends with the client's work.
    func endsWithRun(_ question: Question) -> Bool
    /// The client ends its work. These requests get no answer.
    mutating func suspend(cancelling questions: [Question], now: Timestamp)
    /// The client continues.
    mutating func resume(now: Timestamp)

    // MARK: The host

    /// The client is killed, and starts again.
    mutating func kill(now: Timestamp)
    /// A lasting fault begins or ends.
    mutating func set(_ fault: Fault, isOn: Bool, now: Timestamp)
    mutating func setClock(by milliseconds: Int64, now: Timestamp)
}

extension SimulatedSystem {
    package func maySend(_ question: Question) -> Bool { true }
    package func mayFail(_ question: Question) -> Bool { true }
    package mutating func disconnected(now: Timestamp) {}
    package mutating func resume(now: Timestamp) {}
    package mutating func kill(now: Timestamp) {}
    package mutating func set(_ fault: Fault, isOn: Bool, now: Timestamp) {}
    package mutating func setClock(by milliseconds: Int64, now: Timestamp) {}
}
