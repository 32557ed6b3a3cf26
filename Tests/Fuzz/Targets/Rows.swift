import Basics
import ClientKit
import SuprSend

/// The events of a feed, one per line. The body of a request's answer is on the same line; without one the answer is
/// pending, and `<` delivers the oldest pending answer, `>` the newest. An unreadable body is a failure.
///
/// ```text
/// f n r q          fetch, fetch the next page, refresh, refresh quietly
/// c  d  y  o       count, details of announced rows, scan of the other stores, one row
/// 0 1 2            activate this store
/// e["name",{…}]    an event
/// +<kind><id>      an action, kind a digit
/// =  !             an action succeeds, fails
/// t<milliseconds>  time passes
/// j k z            joined, recovered or not; the connection is lost
/// R<milliseconds>  another run of the program, with that mark if there is no better one
/// ```
func checkRows(_ input: [UInt8]) throws(Fault) {
    var script = FeedScript()
    for line in Line.all(in: input) { try script.take(line) }
    try script.feed.pass(0)
}

private struct FeedScript {
    enum Request {
        case page(FeedState.Load)
        case count(FeedState.Count)
        case details(FeedState.DetailRequest)
        case row(UInt64)
        case scan(CatchUpScan)
    }

    var feed = CheckedFeed()
    var waiting: [Request] = []
    var actions: [UInt64] = []

    mutating func take(_ line: Line) throws(Fault) {
        switch line.letter {
        case UInt8(ascii: "f"): if let load = try? feed.state.beginFetch() { try ask(.page(load), line) }
        case UInt8(ascii: "n"): if let load = try? feed.state.beginNextPage() { try ask(.page(load), line) }
        case UInt8(ascii: "r"): try ask(.page(feed.state.beginRefresh()), line)
        case UInt8(ascii: "q"): try ask(.page(feed.state.beginRefresh(isQuiet: true)), line)
        case UInt8(ascii: "0")...UInt8(ascii: "2"):
            let store = CheckedFeed.stores[Int(line.letter - UInt8(ascii: "0"))]
            if let load = try? feed.state.changeStore(store.id) { try ask(.page(load), line) }
        case UInt8(ascii: "c"): try ask(.count(feed.state.beginCount()), line)
        case UInt8(ascii: "d"):
            if let request = feed.state.beginDetails() { try ask(.details(request), line) }
        case UInt8(ascii: "o"): try ask(.row(feed.state.beginRow()), line)
        case UInt8(ascii: "y"): for scan in feed.state.scans() { try ask(.scan(scan), line) }
        case UInt8(ascii: "<"): if !waiting.isEmpty { try answer(waiting.removeFirst(), line) }
        case UInt8(ascii: ">"): if let request = waiting.popLast() { try answer(request, line) }
        case UInt8(ascii: "e"): if let event = event(line) { try feed.check(feed.state.receive(event, now: feed.now)) }
        case UInt8(ascii: "+"): try act(line)
        case UInt8(ascii: "="), UInt8(ascii: "!"):
            guard !actions.isEmpty else { break }
            let succeeded = line.letter == UInt8(ascii: "=")
            try feed.check(feed.state.finish(actions.removeFirst(), succeeded: succeeded, now: feed.now))
        case UInt8(ascii: "t"): try feed.pass(min(max(0, Int64(line.text) ?? 0), 1_000_000_000))
        case UInt8(ascii: "j"): feed.state.joined(recovered: true, now: feed.now)
        case UInt8(ascii: "k"): feed.state.joined(recovered: false, now: feed.now)
        case UInt8(ascii: "R"):
            feed.restart(after: Int64(line.text).map { Timestamp(milliseconds: $0) })
            (waiting, actions) = ([], [])
        case UInt8(ascii: "z"):
            feed.state.suspend()
            waiting.removeAll { if case .details = $0 { true } else { false } }
        default: break
        }
        try feed.check([])
    }

    private mutating func ask(_ request: Request, _ line: Line) throws(Fault) {
        if line.rest.isEmpty { waiting.append(request) } else { try answer(request, line) }
    }

    private mutating func answer(_ request: Request, _ line: Line) throws(Fault) {
        let response = HTTPResponse(status: 200, body: Array(line.rest))
        let effects: [FeedState.Effect]
        switch request {
        case .page(let load):
            let page: Result<NotificationPage, SuprSendError>
            do { page = .success(try ResponseDecoder.decode(response, as: NotificationPage.self)) } catch {
                page = .failure(error)
            }
            effects = feed.state.finish(load, page, now: feed.now).effects
        case .count(let count):
            let counts = try? ResponseDecoder.decode(response, as: NotificationCounts.self)
            effects = feed.state.finish(count, counts, now: feed.now)
        case .details(let request):
            do throws(SuprSendError) {
                let row = try ResponseDecoder.decode(response, as: FeedNotification.self)
                effects = feed.state.finishDetails(request, row, now: feed.now)
            } catch {
                effects = failure(of: request, error)
            }
        case .row(let number):
            let row = try? ResponseDecoder.decode(response, as: FeedNotification.self)
            effects = feed.state.finishRow(number, row, now: feed.now)
        case .scan(var scan):
            guard let page = try? ResponseDecoder.decode(response, as: NotificationPage.self) else { return }
            effects = feed.state.proceed(&scan, page, now: feed.now)
            if scan.call != nil { waiting.append(.scan(scan)) }
        }
        try feed.check(effects)
    }

    private mutating func failure(of request: FeedState.DetailRequest, _ error: SuprSendError) -> [FeedState.Effect] {
        let (delay, effects) = feed.state.failDetails(request, error, now: feed.now)
        if delay != nil, let next = feed.state.beginDetailsAgain(request) { waiting.append(.details(next)) }
        return effects
    }

    private func event(_ line: Line) -> RealtimeEvent? {
        guard let elements = (try? JSONValue(parsing: Array(line.rest)))?.array,
            let name = elements.first?.string
        else {
            return nil
        }
        return RealtimeEvent(name: name, arguments: Array(elements.dropFirst()))
    }

    private mutating func act(_ line: Line) throws(Fault) {
        let id = String(line.text.unicodeScalars.dropFirst())
        let action: FeedAction
        switch line.rest.first {
        case UInt8(ascii: "0"): action = .markAsSeen(id)
        case UInt8(ascii: "1"): action = .markAsRead(id)
        case UInt8(ascii: "2"): action = .markAsUnread(id)
        case UInt8(ascii: "3"): action = .markAsInteracted(id)
        case UInt8(ascii: "4"): action = .markAsArchived(id)
        case UInt8(ascii: "5"): action = .markBulkAsSeen(id.split(separator: ",").map(String.init))
        case UInt8(ascii: "6"): action = .markAllAsRead
        default: action = .resetBadgeCount
        }
        guard let (number, effects) = feed.state.begin(action, now: feed.now) else { return }
        actions.append(number)
        try feed.check(effects)
    }
}
