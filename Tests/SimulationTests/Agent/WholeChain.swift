import Basics
import Inbox
import TestSupport

/// A service, the engine that follows it, the agent, and two faces: all lists of a notification in a row.
struct WholeChain<Mirror: SimulatedMirror>: MirrorSystem {
    var mirror: Mirror
    /// What the engine has reported in this run of the agent.
    private(set) var view = MirrorView()
    private(set) var agent: SimulatedAgent
    var fresh: FreshNotifications
    private var faces = [SimulatedFace(isUnreadOnly: false), SimulatedFace(isUnreadOnly: true)]

    init(seed: UInt64) {
        mirror = Mirror(seed: seed)
        mirror.start(after: DeliveryMarks(), now: simulationStart)
        agent = SimulatedAgent(mirror, seed: seed, now: simulationStart)
        fresh = FreshNotifications(mirror)
    }

    // MARK: The law

    /// What is wrong at rest: each list is what the service has, each action was performed once or rejected, each
    /// arrival was shown once.
    var problems: [String] {
        let counts = mirror.counts(like: view.counts, hasMore: view.hasMore)
        return view.differences(from: mirror).map { "engine: \($0)" }
            + view.arrivals.problems(fresh: [], old: fresh.old).map { "engine: \($0)" }
            + faces.flatMap { $0.differences(from: mirror.list) }.map { "face: \($0)" }
            + agent.table.problems.map { "table: \($0)" }
            + agent.table.differences(from: mirror.list, counts: counts).map { "table: \($0)" }
            + agent.ledger.problems.map { "action: \($0)" }
            + agent.popups.showings.problems(fresh: fresh.fresh, old: fresh.old).map { "popup: \($0)" }
    }

    // MARK: The agent

    var isCaughtUp: Bool { agent.disk.saved.marks.watermark != nil }

    mutating func performed(_ step: ChangeStep) { agent.perform(step) }

    mutating func connected(isContinuous: Bool, now: Timestamp) {
        mirror.connected(isContinuous: isContinuous, now: now)
        agent.connected(true, now: now)
        work(now)
    }

    mutating func disconnected(now: Timestamp) {
        mirror.disconnected(now: now)
        agent.connected(false, now: now)
        work(now)
    }

    mutating func receive(_ event: Mirror.Event, now: Timestamp) {
        mirror.receive(event, now: now)
        work(now)
    }

    mutating func takeQuestions(now: Timestamp) -> [Mirror.Question] {
        work(now)
        let questions = mirror.takeQuestions(now: now)
        work(now)
        return questions
    }

    mutating func finish(
        _ question: Mirror.Question,
        _ answer: Result<Mirror.Answer, RequestFailure>,
        now: Timestamp
    ) {
        if case .failure(let failure) = answer, failure.isOutcomeUnknown, let step = mirror.change(of: question) {
            agent.allowRepeat(of: step.change)
        }
        mirror.finish(question, answer, now: now)
        work(now)
    }

    var nextDeadline: Timestamp? { [mirror.nextDeadline, agent.nextDeadline].compactMap { $0 }.min() }

    mutating func wake(now: Timestamp) {
        mirror.wake(now: now)
        work(now)
    }

    mutating func suspend(cancelling questions: [Mirror.Question], now: Timestamp) {
        mirror.suspend(cancelling: questions, now: now)
        work(now)
    }

    mutating func kill(now: Timestamp) {
        agent.kill(now: now)
        fresh.remove(mirror.unknowable(after: agent.disk.contents.marks))
        view = MirrorView()
        mirror.start(after: agent.disk.contents.marks, now: now)
        for face in faces.indices { faces[face].restart() }
        work(now)
    }

    mutating func set(_ fault: Fault, isOn: Bool, now: Timestamp) { agent.set(fault, isOn: isOn) }

    mutating func setClock(by milliseconds: Int64, now: Timestamp) {
        agent.setClock(by: milliseconds)
        mirror.setClock(by: milliseconds, now: now)
    }

    /// Passes on what each part reports to the next one.
    private mutating func work(_ now: Timestamp) {
        agent.work(now: now)
        var isBusy = true
        while isBusy {
            let wasComplete = agent.isComplete
            let reports = mirror.takeReports()
            for report in reports {
                view.receive(report)
                // A late one withdraws popups of later notifications.
                if report == .allRead { fresh.removeAll() }
                agent.receive(report, now: now)
            }
            // The effect of a change is reported before it is no longer pending.
            let outcomes = mirror.takeOutcomes()
            for outcome in outcomes { agent.finish(outcome, now: now) }
            let due = agent.takeDue()
            for (change, isDelayed) in due { mirror.begin(change, isDelayed: isDelayed, now: now) }
            if agent.isComplete, !wasComplete { for face in faces.indices { faces[face].reload() } }
            isBusy = !(reports.isEmpty && outcomes.isEmpty && due.isEmpty)
        }
        let signalled = agent.takeSignalled()
        for face in faces.indices { faces[face].changed(signalled) }
    }

    // MARK: The user

    mutating func act(_ chance: inout SeededGenerator, now: Timestamp) {
        defer { work(now) }
        answerFaces(&chance)
        agent.page(mirror.list)
        switch Int.random(in: 0..<8, using: &chance) {
        case 0: mirror.act(&chance, now: now)
        case 1: agent.usePopup(&chance, now: now)
        case 2: fresh.remove(agent.undo(now: now))
        default:
            // Of what the user sees, or by its id.
            let ids = Int.random(in: 0..<4, using: &chance) == 0 ? mirror.states.keys.sorted() : faces[0].ids
            guard let id = ids.randomElement(using: &chance) else { return }
            guard let change = Change.random(on: NotificationID(id), Mirror.capabilities, &chance) else { return }
            // Its popup is withdrawn, also if the service rejects the change.
            if change == .allRead { fresh.removeAll() } else { fresh.remove(change.ids) }
            // Where the badge counts the unseen ones, this marks what is loaded as seen at once.
            if change == .badgeReset, Mirror.rules.badgeIsUnseen { fresh.remove(agent.table.unseen) }
            agent.submit([change], now: now)
        }
    }

    /// Replies come late, and in any order.
    private mutating func answerFaces(_ chance: inout SeededGenerator) {
        for face in faces.indices where Bool.random(using: &chance) {
            guard let index = faces[face].requests.indices.randomElement(using: &chance) else { continue }
            agent.answer(&faces[face], index)
        }
    }

    /// The faces get all replies, and load what is missing.
    mutating func settleFaces() {
        agent.loadAll(mirror.list, newest: Array(mirror.list.prefix(view.rows.count)))
        for face in faces.indices {
            // A notification that another view lists is not added once more.
            faces[face].reload()
            for _ in 0..<100 {
                while !faces[face].requests.isEmpty { agent.answer(&faces[face], 0) }
                faces[face].loadRest()
                if faces[face].requests.isEmpty { break }
            }
        }
    }
}
