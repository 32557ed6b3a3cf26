import Basics
import ClientKit
import Inbox

/// The events of popups, one per line. Numbers may be any 64 bits.
///
/// ```text
/// a m <created> <id> [<expiry>]  arrived, missed
/// c<newest>  w<id>  A D      caught up; withdrawn; account online, removed
/// s v        the server appears, vanishes                 S<id>      another one, that says which id is gone
/// =<id>      the oldest call is answered                  ! ?        it fails
/// > -        the oldest call is sent; there is no reply   E          the agent ends
/// i<id> x<id> o<id>  clicked, closed by the user, gone    h H        held, critical ones not        r  released
/// p p1    other rules, these rules (ids that begin with ~ are muted, with # in a digest, with & of one thread)
/// t<milliseconds>    time passes, and timers fire         k          another run of the program
/// P N                the oldest picture is loaded, or there is none
/// ```
func checkPopups(_ input: [UInt8]) throws(Fault) {
    var script = PopupsScript()
    for line in Line.all(in: input) { try script.take(line) }
}

private struct PopupsScript {
    var popups = Popups(policy: PopupsScript.policy)
    /// The base time of the other targets.
    var now: Int64 = 1_754_346_745_613
    var server = 1
    var calls: [Popups.Request] = []
    var pictures: [PictureURL] = []
    var timers: [Popups.Timer: Duration] = [:]
    /// The latest time that anything said.
    var latest: Int64 = 1_754_346_745_613
    // The disk.
    var marks: [String: DeliveryMarks] = [:]
    var kept: [String: [UInt32: SavedPopup]] = [:]

    private var time: Timestamp { Timestamp(milliseconds: now) }

    private static let categories: [Character: String] = ["!": "critical", "~": "mute", "#": "digest", "&": "thread"]

    /// A policy with rules by the category of a notification.
    private static var policy: PopupPolicy {
        func rule(_ category: String, _ body: (inout RuleEffects) -> Void) -> Rule? {
            var effects = RuleEffects()
            body(&effects)
            guard let pattern = try? TextPattern(category) else { return nil }
            return Rule(RuleConditions([.init(.category, [pattern])]), effects)
        }
        let rules = [
            rule("mute") { $0.isMuted = true }, rule("digest") { $0.digest = .seconds(60) },
            rule("thread") { $0.replace = .category },
        ]
        return PopupPolicy(criticalCategories: ["critical"], rules: Rules(rules.compactMap(\.self)))
    }

    mutating func take(_ line: Line) throws(Fault) {
        let words = line.text.split(separator: " ").map(String.init)
        let number = words.first.flatMap { Int64($0) } ?? 0
        let id = UInt32(truncatingIfNeeded: number)
        switch line.letter {
        case UInt8(ascii: "a"), UInt8(ascii: "m"):
            var notification = Notification(
                id: NotificationID(words.count > 1 ? words[1] : ""),
                title: "title",
                created: Timestamp(milliseconds: number)
            )
            notification.expires = words.count > 2 ? Int64(words[2]).map { Timestamp(milliseconds: $0) } : nil
            if notification.id.rawValue.hasPrefix("@") { notification.avatar = "https://example.com/\(number % 3)" }
            notification.category = Self.categories[notification.id.rawValue.first ?? " "] ?? ""
            let isCatchUp = line.letter == UInt8(ascii: "m")
            try receive(.arrived(account: "work", [notification], isCatchUp: isCatchUp, now: time))
        case UInt8(ascii: "c"):
            latest = max(latest, number)
            try receive(.caughtUp(account: "work", newest: Timestamp(milliseconds: number)))
        case UInt8(ascii: "w"):
            try receive(
                .withdrawn(NotificationReference(account: "work", id: NotificationID(words.first ?? "")))
            )
        case UInt8(ascii: "A"): try receive(.accountOnline("work"))
        case UInt8(ascii: "D"): try receive(.accountRemoved("work"))
        case UInt8(ascii: "s"): try appear(closed: nil)
        case UInt8(ascii: "S"):
            server += 1
            calls = []
            try appear(closed: [id])
        case UInt8(ascii: "v"):
            calls = []
            server += 1
            try receive(.serverVanished)
        case UInt8(ascii: "="): if let call = next() { try receive(.shown(call, id: id, now: time)) }
        case UInt8(ascii: "!"), UInt8(ascii: "?"): if let call = next() { try receive(.failed(call, now: time)) }
        case UInt8(ascii: ">"): if let call = calls.first { try receive(.sent(call)) }
        case UInt8(ascii: "-"): if let call = next() { try receive(.unanswered(call, now: time)) }
        case UInt8(ascii: "E"): try perform(popups.keepUnconfirmed())
        case UInt8(ascii: "f"): if let call = next() { try receive(.refusedAsFull(call, now: time)) }
        case UInt8(ascii: "L"):
            calls = []
            try receive(.serverLost(name))
        case UInt8(ascii: "i"): try receive(signal(id, .action(Popup.defaultKey)))
        case UInt8(ascii: "x"): try receive(signal(id, .closed(Popups.dismissedByUser)))
        case UInt8(ascii: "o"): try receive(signal(id, .closed(Popups.expired)))
        case UInt8(ascii: "h"): try receive(.held(.pause, exceptCritical: false))
        case UInt8(ascii: "H"): try receive(.held(.pause, exceptCritical: true))
        case UInt8(ascii: "r"): try receive(.released(.pause, now: time))
        case UInt8(ascii: "P"), UInt8(ascii: "N"):
            guard !pictures.isEmpty else { return }
            let file = line.letter == UInt8(ascii: "P") ? "/picture.png" : nil
            try receive(.pictureLoaded(pictures.removeFirst(), file: file))
        case UInt8(ascii: "t"): try pass(min(max(0, number), 1_000_000_000))
        case UInt8(ascii: "p"): try receive(.policyChanged(words.isEmpty ? PopupPolicy() : Self.policy))
        case UInt8(ascii: "k"):
            popups = Popups(policy: Self.policy)
            (calls, pictures, timers) = ([], [], [:])
            try receive(.restored(marks, kept))
        default: break
        }
    }

    private var name: String { "s\(server)" }

    private func signal(_ id: UInt32, _ content: ServerSignal.Content) -> Popups.Event {
        .signal(ServerSignal(server: name, id: id, content), now: time)
    }

    private mutating func appear(closed: Set<UInt32>?) throws(Fault) {
        let features = ServerFeatures(capabilities: ["actions", "body"], name: server.isMultiple(of: 2) ? "dunst" : "")
        try receive(.serverAppeared(server: name, features, closed: closed, now: time))
    }

    private mutating func next() -> Popups.Request? { calls.isEmpty ? nil : calls.removeFirst() }

    private mutating func pass(_ milliseconds: Int64) throws(Fault) {
        now += milliseconds
        latest = max(latest, now)
        for (timer, wait) in timers {
            let rest = wait - .milliseconds(milliseconds)
            timers[timer] = rest > .zero ? rest : nil
            if rest <= .zero { try receive(.fired(timer, now: time)) }
        }
    }

    private mutating func receive(_ event: Popups.Event) throws(Fault) {
        try perform(popups.receive(event))
        let count = calls.count { popups.needs($0) }
        try demand(count <= 1, "\(count) calls are in flight")
    }

    private mutating func perform(_ effects: [Popups.Effect]) throws(Fault) {
        for effect in effects {
            switch effect {
            case .notify(let call, _, _): calls.append(call)
            case .loadPicture(let url): pictures.append(url)
            case .wait(let timer, let wait):
                try demand((.zero ... .seconds(86_400)).contains(wait), "a wait of \(wait)")
                timers[timer] = wait
            case .delivered(let account, let created, let watermark):
                let limit = time.advanced(milliseconds: 300_000)
                var known = marks[account] ?? DeliveryMarks()
                for (id, made) in created { known.add(id, created: made, latest: limit) }
                if let watermark {
                    try demand(
                        watermark <= Timestamp(milliseconds: latest).advanced(milliseconds: 300_000),
                        "everything up to \(watermark.milliseconds) counts as shown, and it is \(now)"
                    )
                    known = DeliveryMarks(watermark: watermark, shown: known.shown.filter { $0.value > watermark })
                }
                marks[account] = known
                try demand(known.shown.count <= DeliveryMarks.capacity, "\(known.shown.count) marks")
            case .keep(let server, let id, let popup):
                kept[server, default: [:]][id] = popup
                // The calls without a reply are saved under the id 0.
                let count = kept[server]?.keys.count { $0 != 0 } ?? 0
                try demand(count <= Popups.shownLimit, "\(count) popups")
            case .forget(let server, let ids): for id in ids { kept[server]?[id] = nil }
            case .forgetServers(let server): kept = kept.filter { $0.key == server }
            case .close, .needServer, .respond, .snoozesShown: break
            }
        }
    }
}
