import ClientKit
import FoundationEssentials
import SuprSend

/// The events of preferences, one per line. The body of an answer is on the same line; an unreadable body is a failure.
///
/// ```text
/// b              ask for everything      <{…}  answer the oldest such request   >{…}  the newest
/// c1slug c0slug  a category on, off      n1channel/slug  one of its channels     o1channel  a channel as a whole
/// t              half a second passes    s  send what is due                     S  send everything
/// ={…}           the oldest request is answered        !  it fails               f  the user signs out
/// ```
func checkPreferences(_ input: [UInt8]) throws(Fault) {
    var script = PreferencesScript()
    for line in Line.all(in: input) { try script.take(line) }
    // Whatever happened: when everything is refused, what the service said is what shows.
    while !script.requests.isEmpty || !script.state.pending.isEmpty {
        try script.send(everything: true)
        try demand(!script.requests.isEmpty, "\(script.state.pending.count) changes are never sent")
        try script.finish(nil)
    }
}

private struct PreferencesScript {
    var state = PreferencesState()
    var now = Duration.zero
    var loads: [UInt64] = []
    var requests: [PreferencesState.Request] = []

    mutating func take(_ line: Line) throws(Fault) {
        switch line.letter {
        case UInt8(ascii: "b"): loads.append(state.beginLoad())
        case UInt8(ascii: "<"): if !loads.isEmpty { try load(loads.removeFirst(), line) }
        case UInt8(ascii: ">"): if let number = loads.popLast() { try load(number, line) }
        case UInt8(ascii: "c"): try change(line) { .category($0, $1) }
        case UInt8(ascii: "n"):
            try change(line) { text, preference in
                let parts = text.split(separator: "/", maxSplits: 1).map(String.init)
                return .channel(parts.first ?? "", preference, category: parts.count > 1 ? parts[1] : "")
            }
        case UInt8(ascii: "o"): try change(line) { .level($0, $1 == .optIn ? .all : .required) }
        case UInt8(ascii: "t"): now += .milliseconds(500)
        case UInt8(ascii: "s"): try send(everything: false)
        case UInt8(ascii: "S"): try send(everything: true)
        case UInt8(ascii: "="): if !requests.isEmpty { try finish(decoded(line, as: PreferenceConfirmation.self)) }
        case UInt8(ascii: "!"): if !requests.isEmpty { try finish(nil) }
        case UInt8(ascii: "f"):
            state.discard()
            requests = []
            loads = []
            try demand(state.data == nil && state.pending.isEmpty, "something is left of who left")
        default: break
        }
        if let deadline = state.nextDeadline {
            try demand(deadline <= now + .seconds(1), "due at \(deadline), and it is \(now)")
        }
    }

    private mutating func load(_ number: UInt64, _ line: Line) throws(Fault) {
        let pending = state.pending
        let answer = decoded(line, as: PreferenceData.self)
        let shown = state.finishLoad(number, PreferenceArgs(), answer)
        try demand(state.pending == pending, "a load changed what waits")
        if answer != nil { try demand(shown != nil && state.data != nil, "a load shows nothing") }
    }

    private mutating func change(_ line: Line, _ edit: (String, PreferenceOption) -> PreferenceEdit) throws(Fault) {
        guard let digit = line.text.first else { return }
        let before = (state.data, state.pending)
        do {
            let (shown, isQueued) = try state.update(
                edit(String(line.text.dropFirst()), digit == "1" ? .optIn : .optOut),
                PreferenceArgs(),
                now: now
            )
            try demand(shown == state.data, "what update returns is not what shows")
            try demand(isQueued == (state.pending != before.1), "queued: \(isQueued)")
        } catch let error as SuprSendError {
            try demand(!error.message.isEmpty, "an error without a sentence")
            try demand(state.data == before.0 && state.pending == before.1, "a refused change changed something")
        } catch let fault as Fault {
            throw fault
        } catch {}
    }

    mutating func send(everything: Bool) throws(Fault) {
        let pending = state.pending
        while let request = state.begin(now: now, among: everything ? pending : nil) {
            try demand(!requests.contains { $0.target == request.target }, "two requests for \(request.target) at once")
            let call = PreferenceCall(request.operation, routes: .subscriber)
            let body = call.body.flatMap { try? JSONValue(parsing: $0) }
            try demand(body?.object?.isEmpty == false, "a request says nothing: \(call.body ?? "")")
            requests.append(request)
        }
    }

    mutating func finish(_ answer: PreferenceConfirmation?) throws(Fault) {
        let request = requests.removeFirst()
        let outcome = state.finish(request, answer)
        try demand(state.pending.isDisjoint(with: request.changes), "an answered change still waits")
        if answer == nil { try demand(outcome == .failed, "a failure is \(outcome)") }
        if state.pending.isEmpty, let data = state.data {
            // Without changes nothing is on top: loading the same again changes nothing.
            var copy = state
            try demand(
                copy.finishLoad(copy.beginLoad(), PreferenceArgs(), data) == data,
                "what shows is not what is known"
            )
        }
    }

    private func decoded<Contents: Decodable>(_ line: Line, as type: Contents.Type) -> Contents? {
        try? ResponseDecoder.decode(HTTPResponse(status: 200, body: Array(line.rest)), as: type)
    }
}
