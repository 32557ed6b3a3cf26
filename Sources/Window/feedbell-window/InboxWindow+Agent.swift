import AgentInterface
import GTK
import Window

/// The calls of the agent that the page's effects need.
extension InboxWindow {
    func send(_ request: InboxRequest) {
        let token = request.opens ? Application.activationToken() : nil
        call(isAwaited: request.isAction, { await $0.send(request, token: token) }) {
            .finished(request, failure: $0)
        }
    }

    func startAgent() {
        calls.start(isAwaited: false) {
            await $0.startAgent()
        } returned: { [unowned self] in
            if let failure = $0 { receive(.agent(.unavailable(failure))) }
        }
    }

    /// - Parameter event: What the page receives.
    func call<Result: Sendable>(
        isAwaited: Bool = true,
        _ call: @escaping @Sendable (AgentRequests) async -> Result,
        event: @escaping @MainActor @Sendable (Result) -> InboxPage.Event
    ) {
        calls.start(isAwaited: isAwaited, call) { [unowned self] in receive(event($0)) }
    }

    func wait(milliseconds: Int64, _ event: InboxPage.Event) {
        calls.wait(.milliseconds(milliseconds)) { [unowned self] in receive(event) }
    }
}

extension InboxRequest {
    /// Whether another program may come to the front.
    fileprivate var opens: Bool {
        switch call {
        case .open, .invoke: true
        default: false
        }
    }
}
