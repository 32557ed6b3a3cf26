/// How long the agent took for notifications that were published one after the other.
///
/// ```
/// service ─event─►│ agent │─question─► service ─answer─►│ agent │─Notify─►
///                 └ first ┘            (not counted)    └ second┘
/// ```
struct Journeys {
    /// From the event to the question, and from the last piece of the answer to the popup.
    private(set) var agent: [Duration] = []
    /// From the question to the last piece of the answer.
    private(set) var service: [Duration] = []
    /// Notifications of which something is missing.
    private(set) var incomplete = 0

    /// - Parameters:
    ///   - passages: The data that passed the relay, in order.
    ///   - popups: When each `Notify` arrived, in order.
    init(_ passages: [Relay.Passage], popups: [ContinuousClock.Instant]) {
        var rest = passages[...]
        for popup in popups {
            let own = rest.prefix { $0.time <= popup }
            rest = rest.dropFirst(own.count)
            guard let event = own.first(where: { $0.kind == .event }),
                let question = own.first(where: { $0.kind == .question }),
                let answer = own.last(where: { $0.kind == .answer })
            else {
                incomplete += 1
                continue
            }
            agent.append(event.time.duration(to: question.time) + answer.time.duration(to: popup))
            service.append(question.time.duration(to: answer.time))
        }
    }
}
