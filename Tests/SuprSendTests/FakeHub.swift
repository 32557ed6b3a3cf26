import Basics
import ClientKit
import Synchronization
import TestSupport
import Testing

@testable import SuprSend

/// The service's hub in memory: takes every request, unless a test says otherwise.
actor FakeHub: HTTPTransport {
    private(set) var requests: [HTTPRequest] = []
    private var answers: [Result<HTTPResponse, TransportError>] = []
    private var isHeld = false
    private var watchers = Waiters()

    /// The next requests get these answers, one each.
    func answer(_ next: Result<HTTPResponse, TransportError>...) { answers += next }

    /// Requests wait until ``release()``.
    func hold() { isHeld = true }

    func release() {
        isHeld = false
        watchers.wakeAll()
    }

    /// The bodies of all requests.
    var bodies: [JSONValue] {
        requests.map { (try? JSONValue(parsing: String(decoding: $0.body ?? [], as: UTF8.self))) ?? .null }
    }

    func wait(for count: Int, sourceLocation: SourceLocation = #_sourceLocation) async {
        let seen = SeenValues()
        await waiting(for: "\(count) requests", seen: { seen.description }, sourceLocation: sourceLocation) {
            while requests.count < count, !Task.isCancelled {
                seen.note("\(requests.map(\.url))")
                await watchers.add().wait()
            }
        }
    }

    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        requests.append(request)
        watchers.wakeAll()
        while isHeld, !Task.isCancelled { await watchers.add().wait() }
        if Task.isCancelled { throw TransportError(.cancelled, "cancelled") }
        if !answers.isEmpty { return try answers.removeFirst().get() }
        return response(200, #"{"status":"success","message_id":"5f0c2c1e-7f0a-4b8e-9a53-0d5c2b1f9a10"}"#)
    }

}

extension Result where Success == HTTPResponse, Failure == TransportError {
    static var serverFailure: Self {
        .success(response(500, #"{"status":"error","error":{"type":"UNKNOWN_ERROR","message":"boom"}}"#))
    }
    static var unreachable: Self { .failure(TransportError(.unreachable, "connection refused")) }
}

/// Numbers instead of UUIDs, and a clock that stands still.
func environment(clock: any Clock<Duration> = ContinuousClock()) -> ClientEnvironment {
    let ids = IDs()
    return ClientEnvironment(now: { base.date }, clock: clock, jitter: { 0 }, makeID: { ids.next() })
}

private final class IDs: Sendable {
    private let last = Mutex(0)

    func next() -> String {
        last.withLock { last in
            last += 1
            return "id-\(last)"
        }
    }
}
