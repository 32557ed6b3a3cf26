import Basics
import Inbox
import TestSupport

/// A `Popups` machine with its environment: stores its records, records its timers, and returns its other effects.
struct PopupsDriver {
    static let features = ServerFeatures(capabilities: ["actions", "body"])
    static let now = Timestamp(milliseconds: 1_000)

    var popups: Popups
    var now = PopupsDriver.now
    var waits: [Popups.Timer: Duration] = [:]
    /// How often a server confirmed that it shows a notification.
    var showings: [NotificationID: Int] = [:]
    // The stored records.
    var marks: [String: DeliveryMarks] = [:]
    var kept: [String: [UInt32: SavedPopup]] = [:]

    /// - Parameter server: There is a server of this name.
    init(policy: PopupPolicy = PopupPolicy(), server: String? = "s1") {
        popups = Popups(policy: policy)
        if let server { receive(.serverAppeared(server: server, Self.features, now: now)) }
    }

    /// The effects that reach beyond this driver.
    @discardableResult
    mutating func receive(_ event: Popups.Event) -> [Popups.Effect] { perform(popups.receive(event)) }

    /// The agent ends.
    mutating func end() { _ = perform(popups.keepUnconfirmed()) }

    private mutating func perform(_ effects: [Popups.Effect]) -> [Popups.Effect] {
        effects.filter { effect in
            switch effect {
            case .wait(let timer, let delay): waits[timer] = delay
            case .delivered(let account, let created, let watermark):
                for (id, created) in created {
                    showings[id, default: 0] += 1
                    let latest = now.advanced(milliseconds: 300_000)
                    marks[account, default: DeliveryMarks()].add(id, created: created, latest: latest)
                }
                // As the state store does: the watermark is replaced, and the marks that it covers are removed.
                if let watermark {
                    let shown = marks[account]?.shown ?? [:]
                    marks[account] = DeliveryMarks(watermark: watermark, shown: shown.filter { $0.value > watermark })
                }
            case .keep(let server, let id, let popup): kept[server, default: [:]][id] = popup
            case .forget(let server, let ids): for id in ids { kept[server]?[id] = nil }
            case .forgetServers(let server): kept = kept.filter { $0.key == server }
            default: return true
            }
            return false
        }
    }

    /// The agent is killed, and the next run reads the stored records.
    mutating func restart(policy: PopupPolicy = PopupPolicy()) {
        popups = Popups(policy: policy)
        waits = [:]
        receive(.restored(marks, kept))
    }

    /// A timer fires.
    @discardableResult
    mutating func fire(_ timer: Popups.Timer) -> [Popups.Effect] {
        guard let delay = waits.removeValue(forKey: timer) else { return [] }
        now = Timestamp(milliseconds: now.milliseconds + Int64(delay / .milliseconds(1)))
        return receive(.fired(timer, now: now))
    }

    @discardableResult
    mutating func arrive(_ numbers: Int..., isCatchUp: Bool = false) -> [Popups.Effect] {
        arrive(numbers.map { Self.notification($0) }, isCatchUp: isCatchUp)
    }

    @discardableResult
    mutating func arrive(_ notifications: [Notification], isCatchUp: Bool = false) -> [Popups.Effect] {
        receive(.arrived(account: "work", notifications, isCatchUp: isCatchUp, now: now))
    }

    /// Shows notification `number` under the same id.
    @discardableResult
    mutating func show(_ number: Int) -> [Popups.Effect] {
        answer(arrive(number), id: UInt32(number))
    }

    /// The server answers the `Notify` call among these effects, and those that follow it, with ids from this one on.
    ///
    /// - Returns: All of these calls, and the other effects of the replies.
    @discardableResult
    mutating func showAll(
        _ effects: [Popups.Effect],
        id: UInt32 = 1_000
    ) -> (calls: [Popups.Effect], others: [Popups.Effect]) {
        var (calls, others): ([Popups.Effect], [Popups.Effect]) = (effects, [])
        var answered = 0
        while answered < calls.requests.count {
            let effects = reply(to: calls.requests[answered], id: id + UInt32(answered))
            answered += 1
            calls += effects.filter { ![$0].requests.isEmpty }
            others += effects.filter { [$0].requests.isEmpty }
        }
        return (calls, others)
    }

    /// As ``showAll(_:id:)``. Returns only the other effects.
    @discardableResult
    mutating func answer(_ effects: [Popups.Effect], id: UInt32) -> [Popups.Effect] {
        showAll(effects, id: id).others
    }

    /// The server answers one call.
    @discardableResult
    mutating func reply(to request: Popups.Request, id: UInt32) -> [Popups.Effect] {
        receive(.shown(request, id: id, now: now))
    }

    mutating func invoke(_ id: UInt32, _ key: String = "default", server: String = "s1") -> [Popups.Effect] {
        receive(.signal(ServerSignal(server: server, id: id, .action(key)), now: now))
    }

    /// The server sends an activation token for a popup.
    mutating func send(token: String, of id: UInt32, server: String = "s1") -> [Popups.Effect] {
        receive(.signal(ServerSignal(server: server, id: id, .token(token)), now: now))
    }

    mutating func close(_ id: UInt32, reason: UInt32, server: String = "s1") -> [Popups.Effect] {
        receive(.signal(ServerSignal(server: server, id: id, .closed(reason)), now: now))
    }

    static func notification(_ number: Int, expires: Int64? = nil, category: String = "") -> Notification {
        var notification = Notification(
            id: NotificationID("\(number)"),
            title: "Nr \(number)",
            created: created(number)
        )
        notification.url = "https://example.com/\(number)"
        notification.category = category
        notification.expires = expires.map(Timestamp.init(milliseconds:))
        return notification
    }

    static func created(_ number: Int) -> Timestamp { Timestamp(milliseconds: Int64(number)) }

    static func url(_ number: Int) -> OpenableURL? {
        OpenableURL("https://example.com/\(number)", schemes: ["https"])
    }

    static func reference(_ number: Int, _ account: String = "work") -> NotificationReference {
        NotificationReference(account: account, id: NotificationID("\(number)"))
    }
}

extension [Popups.Effect] {
    var requests: [Popups.Request] {
        compactMap { if case .notify(let request, _, _) = $0 { request } else { nil } }
    }

    /// The headlines of what is to be shown.
    var headlines: [String] {
        compactMap { if case .notify(_, let popup, _) = $0 { popup.summary } else { nil } }
    }

    /// The popups to show.
    var popups: [Popup] {
        compactMap { if case .notify(_, let popup, _) = $0 { popup } else { nil } }
    }

    /// The popups whose places are taken.
    var replaced: [UInt32] {
        compactMap { if case .notify(_, _, let replaced) = $0 { replaced } else { nil } }
    }
}
