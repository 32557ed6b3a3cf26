import ClientKit
import SuprSend

/// Frames of the service, one a line, all the way into a feed: packet, event, what it means, which row to ask for.
func checkEvents(_ input: [UInt8]) throws(Fault) {
    var feed = CheckedFeed()
    var asked: Set<String> = []
    for frame in input.split(separator: UInt8(ascii: "\n")).prefix(2_000) {
        guard case .message(let text)? = try? EnginePacket(parsing: String(decoding: frame, as: UTF8.self)),
            let (name, arguments) = (try? SocketPacket(parsing: text))?.event
        else { continue }
        guard let event = RealtimeEvent(name: name, arguments: arguments) else { continue }
        switch event {
        case .newNotification(let id), .notificationUpdate(let id):
            try demand(!id.isEmpty && arguments.first?["n_id"] == .string(id), "\(arguments) is about \(id)")
            try demand(id.utf8.count <= Limits.id, "an id of \(id.utf8.count) bytes")
            asked.insert(id)
        case .seen(let ids):
            let said = arguments.first?["notification_ids"]?.array ?? []
            let fit = said.compactMap(\.string).filter { $0.utf8.count <= Limits.id }
            try demand(ids == fit, "\(said) became \(ids)")
        case .allRead, .badgeReset:
            break
        }
        try feed.check(feed.state.receive(event, now: feed.now))
    }
    // Every row is asked for, once, a few at a time; none can be had here.
    while let request = feed.state.beginDetails() {
        try demand(asked.remove(request.id) != nil, "\(request.id) is asked for without an event, or twice")
        let refusal = SuprSendError(.rejected, "no")
        try feed.check(feed.state.failDetails(request, refusal, now: feed.now).effects)
    }
    try demand(asked.isEmpty || feed.state.isStale, "\(asked) are forgotten")
}
