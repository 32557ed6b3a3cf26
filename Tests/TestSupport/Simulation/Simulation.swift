package import Basics
import SeededRandom

/// A ``SimulatedSystem`` with a network between service and client, in random order with random faults.
///
/// Each step is one event: a change at the service, an action of the user, or one request or event getting one step
/// further. Requests are answered as of some moment after they were made.
package struct Simulation<System: SimulatedSystem> {
    private enum Link: Equatable {
        case open
        /// Dead without the client's knowledge.
        case silent(keepsEvents: Bool)
        case closed(keepsEvents: Bool)
    }

    private struct Request {
        var question: System.Question
        /// nil: not yet at the service.
        var answer: Result<System.Answer, RequestFailure>?
    }

    /// In milliseconds: an event follows its change within this time while there is a connection.
    private static var longestDelay: Int64 { 500 }

    package var system: System
    package private(set) var now: Timestamp
    /// The faults that occurred.
    package private(set) var faultsSeen: Set<Fault> = []
    /// Why it did not come to rest.
    package private(set) var problems: [String] = []
    private var faults: NetworkFaults
    private var chance: SeededGenerator
    private var events: [(sent: Timestamp, event: System.Event)] = []
    private var requests: [Request] = []
    private var link = Link.closed(keepsEvents: false)
    private var isSuspended = false
    private var lasting: Set<Fault> = []

    package init(_ system: System, faults: Set<Fault>, seed: UInt64, now: Timestamp) {
        self.system = system
        self.now = now
        self.faults = NetworkFaults(faults, seed: seed)
        chance = SeededGenerator(seed: seed)
    }

    /// Whether no request is under way.
    package var isIdle: Bool { requests.isEmpty }

    // MARK: Running

    package mutating func live(steps: Int) {
        for _ in 0..<steps {
            now = now.advanced(milliseconds: Int64.random(in: 0...System.longestStep, using: &chance))
            step()
            work()
        }
    }

    /// No further changes and faults; everything on its way arrives.
    ///
    /// - Parameter gap: The client connects after this time, in milliseconds, and has to load everything again, because
    ///   something changes without an event; nil: it need not.
    package mutating func settle(afterGap gap: Int64? = nil) {
        faults.endOutage()
        now = now.advanced(milliseconds: gap ?? 0)
        if isSuspended { resume() }
        for fault in lasting.sorted(by: { $0.rawValue < $1.rawValue }) { system.set(fault, isOn: false, now: now) }
        lasting = []
        if link != .open || gap != nil { reconnect(keepsEvents: gap == nil ? nil : false) }
        for _ in 0..<20_000 {
            work()
            if !events.isEmpty, requests.isEmpty || oneIn(2) {
                deliver()
            } else if !requests.isEmpty {
                advance(mayFail: false)
            } else if let deadline = system.nextDeadline {
                now = max(now, deadline)
                system.wake(now: now)
            } else {
                return
            }
        }
        problems.append("It does not come to rest.")
    }

    private mutating func step() {
        if link == .open, let first = events.first,
            !faults.contains(.lateEvents) || first.sent.advanced(milliseconds: Self.longestDelay) < now
        {
            return deliver()
        }
        switch Int.random(in: 0..<100, using: &chance) {
        case 0..<40: advance(mayFail: true)
        case 40..<60: deliver()
        case 60..<67: emit(system.publish(&chance, now: now))
        case 67..<75: if occurs(.otherDevice) { emit(system.changeElsewhere(&chance, now: now)) }
        case 75..<90: system.act(&chance, now: now)
        case 90..<94:
            if let deadline = system.nextDeadline { now = max(now, min(deadline, now.advanced(milliseconds: 2_000))) }
            system.wake(now: now)
        case 94..<97: changeConnection()
        default: disturb()
        }
    }

    /// Starts the requests that are due.
    private mutating func work() {
        requests += system.takeQuestions(now: now).map { Request(question: $0) }
        guard !faults.contains(.lateAnswers) else { return }
        var left = 1_000
        while let index = nextRequest(), left > 0 {
            left -= 1
            advance(index, mayFail: true)
            requests += system.takeQuestions(now: now).map { Request(question: $0) }
        }
    }

    private func nextRequest() -> Int? {
        requests.indices.first { requests[$0].answer != nil || system.maySend(requests[$0].question) }
    }

    // MARK: The connection

    private mutating func changeConnection() {
        guard !isSuspended else { return }
        switch link {
        case .silent: lose()
        case .closed: if faults.isAuthorized(at: now) { reconnect() }
        case .open:
            guard !faults.kinds.isDisjoint(with: [.drops, .silentDrops, .lostEvents]), oneIn(2) else { return }
            let keepsEvents = faults.keepsEvents() && System.keepsEvents
            if !keepsEvents { note(.lostEvents) }
            if faults.isSilentDrop() {
                note(.silentDrops)
                link = .silent(keepsEvents: keepsEvents)
            } else {
                note(.drops)
                close(keepsEvents: keepsEvents)
            }
            if !keepsEvents { events = [] }
        }
    }

    /// The client notices that its connection is dead.
    private mutating func lose() {
        if case .silent(let keepsEvents) = link { close(keepsEvents: keepsEvents) }
    }

    private mutating func close(keepsEvents: Bool) {
        link = .closed(keepsEvents: keepsEvents)
        system.disconnected(now: now)
    }

    /// The connection is closed, and what it would have brought is lost.
    private mutating func loseEvents() {
        if link == .open { close(keepsEvents: false) }
        lose()
        link = .closed(keepsEvents: false)
        events = []
    }

    private mutating func reconnect(keepsEvents: Bool? = nil) {
        if link == .open { close(keepsEvents: false) }
        lose()
        guard case .closed(let kept) = link else { return }
        let isContinuous = keepsEvents ?? kept
        if !isContinuous { events = [] }
        link = .open
        system.connected(isContinuous: isContinuous, now: now)
    }

    private mutating func emit(_ new: [System.Event]) {
        switch link {
        case .closed(keepsEvents: false), .silent(keepsEvents: false): return
        case .open, .closed, .silent: break
        }
        for event in new {
            let copies = faults.copies()
            if copies > 1 { note(.doubledEvents) }
            for _ in 0..<copies { events.append((now, event)) }
        }
    }

    private mutating func deliver() {
        guard link == .open, !events.isEmpty else { return }
        var index = 0
        if faults.contains(.reorderedEvents), oneIn(2) {
            let last = Int.random(in: 0..<min(events.count, 4), using: &chance)
            while index < last, (0...index).allSatisfy({ system.commute(events[$0].event, events[index + 1].event) }) {
                index += 1
            }
            if index > 0 { note(.reorderedEvents) }
        }
        if events[index].sent < now { note(.lateEvents) }
        system.receive(events.remove(at: index).event, now: now)
    }

    // MARK: Requests

    private mutating func advance(mayFail: Bool) {
        let ready = requests.indices.filter { requests[$0].answer != nil || system.maySend(requests[$0].question) }
        if let index = ready.randomElement(using: &chance) { advance(index, mayFail: mayFail) }
    }

    /// A request arrives at the service, or its answer at the client.
    private mutating func advance(_ index: Int, mayFail: Bool) {
        let request = requests[index]
        if let answer = request.answer {
            requests.remove(at: index)
            if faults.contains(.lateAnswers) { note(.lateAnswers) }
            return system.finish(request.question, answer, now: now)
        }
        switch mayFail && system.mayFail(request.question) ? faults.fate(at: now) : .answered {
        case .answered: requests[index].answer = .success(serve(request.question, mayShift: mayFail))
        case .failed(let failure, let isPerformed):
            if failure == .refused { note(.refusals) }
            if failure == .broken { note(.lostAnswers) }
            if isPerformed { _ = serve(request.question, mayShift: false) }
            requests[index].answer = .failure(failure)
        }
    }

    private mutating func serve(_ question: System.Question, mayShift: Bool) -> System.Answer {
        let (answer, new) = system.serve(question, now: now)
        emit(new)
        if mayShift, faults.contains(.shiftingPages), system.isPage(question), oneIn(2) {
            note(.shiftingPages)
            emit(system.changeElsewhere(&chance, now: now))
        }
        return answer
    }

    // MARK: Faults of the service and of the host

    private static var disturbances: Set<Fault> {
        [.gatewayErrors, .rateLimits, .tokenChanges, .clockJumps, .suspensions, .kills, .fullDisk, .silentPopupServer]
    }

    private mutating func disturb() {
        if isSuspended { return resume() }
        let possible = faults.kinds.intersection(Self.disturbances).sorted { $0.rawValue < $1.rawValue }
        guard let fault = possible.randomElement(using: &chance) else { return }
        note(fault)
        switch fault {
        case .gatewayErrors, .rateLimits: faults.beginOutage(fault, now: now)
        case .tokenChanges:
            faults.beginOutage(fault, now: now)
            loseEvents()
        case .clockJumps: system.setClock(by: Int64.random(in: -7_200_000...7_200_000, using: &chance), now: now)
        case .suspensions: suspend()
        case .kills: kill()
        default:
            let isOn = lasting.insert(fault).inserted
            if !isOn { lasting.remove(fault) }
            system.set(fault, isOn: isOn, now: now)
        }
    }

    private mutating func suspend() {
        isSuspended = true
        loseEvents()
        let ended = requests.filter { system.endsWithRun($0.question) }
        requests.removeAll { system.endsWithRun($0.question) }
        system.suspend(cancelling: ended.map(\.question), now: now)
    }

    private mutating func resume() {
        isSuspended = false
        system.resume(now: now)
    }

    private mutating func kill() {
        // The service gets some of the requests that were sent.
        for request in requests where request.answer == nil && system.maySend(request.question) && oneIn(2) {
            _ = system.serve(request.question, now: now)
        }
        requests = []
        events = []
        link = .closed(keepsEvents: false)
        system.kill(now: now)
    }

    private mutating func occurs(_ fault: Fault) -> Bool {
        if faults.contains(fault) { note(fault) }
        return faults.contains(fault)
    }

    private mutating func note(_ fault: Fault) { faultsSeen.insert(fault) }

    private mutating func oneIn(_ number: Int) -> Bool { Int.random(in: 0..<number, using: &chance) == 0 }
}
