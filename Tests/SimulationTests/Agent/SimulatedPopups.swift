import Basics
import TestSupport

@testable import Inbox

/// The agent's popups and a notification server, which may be silent for a while.
struct SimulatedPopups {
    static let account = "work"
    private static let server = "s1"
    /// The timeout of `Notify`.
    private static let timeout: Int64 = 25_000

    /// A call of `Notify` that was sent.
    private struct Call {
        var request: Popups.Request
        var timeout: Timestamp
    }

    private let policy: PopupPolicy
    private var popups: Popups
    private var timers: [Popups.Timer: Timestamp] = [:]
    /// The call that is to be sent.
    private var next: Popups.Request?
    private var sent: Call?
    /// Calls without a reply, which the server performs when it reads again.
    private var unanswered: [Popups.Request] = []
    private var isSilent = false
    private var lastID: UInt32 = 0
    /// What the server has shown.
    private(set) var showings = ArrivalLog()
    private var created: [NotificationID: Timestamp] = [:]
    private var responses: [Popups.Response] = []

    init(seed: UInt64) {
        policy = PopupPolicy(groupAbove: seed % 2 == 0 ? 3 : 1_000)
        popups = Popups(policy: policy)
    }

    // MARK: The agent

    /// - Parameter now: The time of the timers, which the wall clock of the events does not show.
    mutating func receive(_ event: Popups.Event, _ disk: inout SimulatedDisk, _ now: Timestamp) {
        if case .arrived(_, let notifications, _, _) = event {
            for notification in notifications { created[notification.id] = notification.created }
        }
        for effect in popups.receive(event) {
            switch effect {
            case .notify(let request, _, _): next = request
            case .wait(let timer, let delay):
                timers[timer] = now.advanced(milliseconds: Int64(delay / .milliseconds(1)))
            case .respond(let response): responses.append(response)
            case .delivered(_, let created, let watermark):
                disk.write { disk in
                    for (id, created) in created {
                        let latest = now.advanced(milliseconds: Timestamp.clockTolerance)
                        disk.marks.add(id, created: created, latest: latest)
                    }
                    // The watermark is replaced, and the marks that it covers are removed.
                    guard let watermark else { return }
                    let shown = disk.marks.shown.filter { $0.value >= watermark }
                    disk.marks = DeliveryMarks(watermark: watermark, shown: shown)
                }
            case .keep(let server, let id, let popup):
                disk.write { $0.popups[server, default: [:]][id] = popup }
            case .forget(let server, let ids):
                disk.write { disk in for id in ids { disk.popups[server]?[id] = nil } }
            case .forgetServers(let server): disk.write { $0.popups = $0.popups.filter { $0.key == server } }
            case .close, .loadPicture, .needServer, .snoozesShown: break
            }
        }
    }

    mutating func takeResponses() -> [Popups.Response] {
        defer { responses = [] }
        return responses
    }

    /// The user clicks an open popup, or dismisses it.
    mutating func act(_ chance: inout SeededGenerator, _ disk: inout SimulatedDisk, wall: Timestamp, _ now: Timestamp) {
        guard let id = popups.shown.ids.randomElement(using: &chance) else { return }
        let content: ServerSignal.Content =
            Bool.random(using: &chance) ? .action(Popup.defaultKey) : .closed(Popups.dismissedByUser)
        receive(.signal(ServerSignal(server: Self.server, id: id, content), now: wall), &disk, now)
    }

    /// The agent is killed, and the next one finds `disk`.
    mutating func kill(_ disk: SimulatedDisk) {
        // The server shows what was sent.
        for request in unanswered + (sent.map { [$0.request] } ?? []) { show(request) }
        let shown = showings.counts.keys.map { NotificationID($0) }
        showings.allowRepeat(of: shown.filter { !disk.saved.hasShown($0, created[$0] ?? 0) }.map(\.rawValue))
        (timers, next, sent, unanswered, responses) = ([:], nil, nil, [], [])
    }

    mutating func start(_ disk: inout SimulatedDisk, wall: Timestamp, _ now: Timestamp) {
        popups = Popups(policy: policy)
        receive(.restored([Self.account: disk.contents.marks], disk.contents.popups), &disk, now)
        let features = ServerFeatures(capabilities: ["actions", "body"])
        receive(.serverAppeared(server: Self.server, features, now: wall), &disk, now)
    }

    // MARK: The server

    mutating func set(isSilent: Bool) { self.isSilent = isSilent }

    var nextDeadline: Timestamp? {
        (timers.values + [sent.flatMap { isSilent ? $0.timeout : nil }].compactMap { $0 }).min()
    }

    /// Sends one call at a time, and lets the server answer it.
    mutating func work(_ disk: inout SimulatedDisk, wall: Timestamp, _ now: Timestamp) {
        let due = timers.filter { $0.value <= now }.keys.sorted { "\($0)" < "\($1)" }
        for timer in due {
            timers[timer] = nil
            receive(.fired(timer, now: wall), &disk, now)
        }
        while next != nil || sent != nil {
            if let call = sent {
                if isSilent {
                    guard call.timeout <= now else { return }
                    unanswered.append(call.request)
                    receive(.unanswered(call.request, now: wall), &disk, now)
                } else {
                    answer(call.request, &disk, wall: wall, now)
                }
                sent = nil
            } else if let request = next {
                next = nil
                guard popups.needs(request) else { continue }
                receive(.sent(request), &disk, now)
                sent = Call(request: request, timeout: now.advanced(milliseconds: Self.timeout))
            }
        }
    }

    private mutating func answer(
        _ request: Popups.Request,
        _ disk: inout SimulatedDisk,
        wall: Timestamp,
        _ now: Timestamp
    ) {
        for earlier in unanswered { show(earlier) }
        unanswered = []
        show(request)
        lastID += 1
        let replaced = popups.calls.first { $0.request == request }?.replaces ?? 0
        receive(.shown(request, id: replaced == 0 ? lastID : replaced, now: wall), &disk, now)
    }

    private mutating func show(_ request: Popups.Request) {
        let calls = popups.calls.filter { $0.request == request }
        for waiting in calls.flatMap(\.waiting) { showings.add(waiting.notification.id.rawValue) }
    }
}
