package import Basics
import ClientKit
package import SuprSend

/// A ``FeedState`` with its requests, driven as `Feed` does.
package struct FeedDriver {
    /// A load of the list again: its requests without answer, and whether one failed.
    private struct Reload {
        var left: Int
        var failure: SuprSendError?
        var hasScans = false
    }

    package var state: FeedState
    /// The actions without answer.
    package private(set) var order = ActionOrder()
    /// How long the feed waits after it could not load the list, in milliseconds.
    private let pause: Int64
    private var pauseEnd: Timestamp?
    private var reload: Reload?
    private var isRunning = true
    /// The requests to send.
    private var questions: [Question] = []
    private var updates: [FeedUpdate] = []

    package init(_ state: FeedState, pause: Int64) {
        self.state = state
        self.pause = pause
    }

    /// The reports since the last call.
    package mutating func takeUpdates() -> [FeedUpdate] {
        defer { updates = [] }
        return updates
    }

    private mutating func apply(_ effects: [FeedState.Effect]) {
        let isUpdated = effects.contains(.updated)
        if isUpdated { updates.append(.contents(state.takeUpdate())) }
        for case .report(let report) in effects { updates.append(.report(report)) }
        if isUpdated, let newest = state.caughtUp { updates.append(.caughtUp(newest)) }
    }

    // MARK: The connection and time

    package mutating func connected(isContinuous: Bool, now: Timestamp) {
        state.joined(recovered: isContinuous, now: now)
        pauseEnd = nil
    }

    package mutating func receive(_ event: RealtimeEvent, now: Timestamp) { apply(state.receive(event, now: now)) }

    package mutating func suspend(cancelling questions: [Question], now: Timestamp) {
        isRunning = false
        for question in questions {
            // At the end of run() these requests fail, and those for details are dropped.
            if case .details = question { continue }
            finish(question, .failure(SuprSendError(.cancelled, "The feed ended.")), now: now)
        }
        self.questions.removeAll(where: \.endsWithRun)
        (reload, pauseEnd) = (nil, nil)
        state.suspend()
    }

    package mutating func resume() { isRunning = true }

    package var nextDeadline: Timestamp? {
        [state.nextDeadline, state.isStale && reload == nil ? pauseEnd : nil].compactMap { $0 }.min()
    }

    package mutating func wake(now: Timestamp) {
        if isOver(at: now) { pauseEnd = nil }
        apply(state.wake(now: now))
    }

    private func isOver(at now: Timestamp) -> Bool { pauseEnd.map { $0 <= now } ?? true }

    // MARK: The app

    /// The app asks for something.
    package mutating func ask(_ question: Question) { questions.append(question) }

    /// The app makes a change. Returns its number; nil: it has no effect, and no request is needed.
    package mutating func begin(_ action: FeedAction, isShown: Bool, now: Timestamp) -> UInt64? {
        let begun = isShown ? state.begin(action, now: now) : state.beginUnshown(action, now: now).map { ($0, []) }
        guard let (number, effects) = begun else { return nil }
        order.begin(number, on: action.ids.map(Set.init))
        questions.append(.action(action, number: number))
        apply(effects)
        return number
    }

    // MARK: Requests

    /// Whether it is the turn of a request.
    package func maySend(_ question: Question) -> Bool {
        if case .action(_, let number) = question { order.isNext(number) } else { true }
    }

    /// The requests to send, with those that `Feed` makes by itself.
    package mutating func takeQuestions(now: Timestamp) -> [Question] {
        if isRunning {
            while let request = state.beginDetails() { questions.append(.details(request)) }
            if state.wantsCount { questions.append(.count(state.beginCount(), .feed)) }
            if state.isStale, reload == nil, isOver(at: now) {
                reload = Reload(left: 2)
                questions.append(.load(state.beginRefresh(isQuiet: true), .reload))
                questions.append(.count(state.beginCount(), .reload))
            }
        }
        defer { questions = [] }
        return questions
    }

    /// A request of the present reload ended.
    private mutating func endPart(_ failure: SuprSendError?, _ now: Timestamp) {
        guard var load = reload else { return }
        load.left -= 1
        load.failure = load.failure ?? failure
        reload = load
        guard load.left == 0 else { return }
        if let failure = load.failure {
            reload = nil
            state.becomeStale()
            let wait = failure.retryAfter.map { Int64($0 / .milliseconds(1)) } ?? 0
            pauseEnd = now.advanced(milliseconds: max(pause, wait))
        } else if load.hasScans {
            reload = nil
            apply(state.finishScans())
        } else {
            let scans = state.scans()
            reload = Reload(left: scans.count + 1, hasScans: true)
            for scan in scans { ask(scan, now) }
            endPart(nil, now)
        }
    }

    private mutating func ask(_ scan: CatchUpScan, _ now: Timestamp) {
        if let call = scan.call { questions.append(.scan(scan, call)) } else { endPart(nil, now) }
    }

    /// A request has its answer. Returns what became of a page.
    @discardableResult
    package mutating func finish(
        _ question: Question,
        _ answer: Result<Answer, SuprSendError>,
        now: Timestamp
    ) -> FeedState.LoadOutcome? {
        switch (question, answer) {
        case (.load(let load, let origin), .success(.page(let page))):
            let (outcome, effects) = state.finish(load, .success(page), now: now)
            apply(effects)
            if outcome == .outdated, let next = try? state.beginNextPage() { questions.append(.load(next, origin)) }
            if origin == .reload { endPart(nil, now) }
            return outcome
        case (.load(let load, let origin), .failure(let error)):
            apply(state.finish(load, .failure(error), now: now).effects)
            if origin == .reload { endPart(error, now) }
        case (.scan(var scan, _), .success(.page(let page))):
            apply(state.proceed(&scan, page, now: now))
            ask(scan, now)
        case (.scan, .failure(let error)): endPart(error, now)
        case (.count(let count, let origin), .success(.counts(let counts))):
            apply(state.finish(count, counts, now: now))
            if origin == .reload { endPart(nil, now) }
        case (.count(let count, let origin), .failure(let error)):
            apply(state.finish(count, nil, now: now))
            if origin == .reload { endPart(error, now) }
        case (.details(let request), .success(.row(let row?))):
            apply(state.finishDetails(request, row, now: now))
        case (.details(let request), .success): fail(request, SuprSendError(.notFound, "no"), now)
        case (.details(let request), .failure(let error)): fail(request, error, now)
        case (.row(_, let number), .success(.row(let row))): apply(state.finishRow(number, row, now: now))
        case (.row(_, let number), _): apply(state.finishRow(number, nil, now: now))
        case (.action(_, let number), .success):
            order.end(number)
            apply(state.finish(number, succeeded: true, now: now))
        case (.action(_, let number), .failure(let error)):
            order.end(number)
            let effects = state.finish(number, succeeded: false, now: now)
            if error.isOutcomeUnknown { state.becomeStale() }
            apply(effects)
        default: preconditionFailure("an answer of another request")
        }
        return nil
    }

    private mutating func fail(_ request: FeedState.DetailRequest, _ error: SuprSendError, _ now: Timestamp) {
        let (delay, effects) = state.failDetails(request, error, now: now)
        apply(effects)
        if delay != nil, let next = state.beginDetailsAgain(request) { questions.append(.details(next)) }
    }
}
