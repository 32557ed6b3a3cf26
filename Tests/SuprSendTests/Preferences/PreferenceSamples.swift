import Basics
import ClientKit
import Sandbox

@testable import SuprSend

/// Sample preferences.
let preferencesJSON = """
    {"sections":[{"name":"Offers","slug":"offers","description":"Deals","subcategories":[{"name":"Refund news",\
    "category":"refund-news","description":"Refund status","original_preference":"opt_in","preference":"opt_in",\
    "is_editable":true,"channels":[{"channel":"androidpush","preference":"opt_in","is_editable":false},\
    {"channel":"email","preference":"opt_in","is_editable":false},{"channel":"inbox","preference":"opt_in",\
    "is_editable":true},{"channel":"whatsapp","preference":"opt_out","is_editable":true}]}]}],\
    "channel_preferences":[{"channel":"email","is_restricted":false},{"channel":"inbox","is_restricted":false}]}
    """

/// The answer to opting out of the category.
let optedOutJSON = """
    {"name":"Refund news","category":"refund-news","description":"Refund status","original_preference":"opt_in",\
    "preference":"opt_out","is_editable":true,"channels":[{"channel":"androidpush","preference":"opt_out",\
    "is_editable":false},{"channel":"email","preference":"opt_out","is_editable":false},{"channel":"inbox",\
    "preference":"opt_out","is_editable":true},{"channel":"whatsapp","preference":"opt_out","is_editable":true}]}
    """

func preferences(_ json: String = preferencesJSON) throws -> PreferenceData {
    try ResponseDecoder.decode(response(200, json), as: PreferenceData.self)
}

func confirmation(_ json: String) throws -> PreferenceConfirmation {
    try ResponseDecoder.decode(response(202, json), as: PreferenceConfirmation.self)
}

/// The client's transport, with the rules of the sandbox: answers can be delayed, lost or malformed.
actor FakePreferences: HTTPTransport {
    enum Fault: Sendable {
        /// The answer is this one; the request has no effect.
        case refused(Result<HTTPResponse, TransportError>)
        /// The request has its effect, and the answer is lost.
        case lost
    }

    private(set) var requests: [HTTPRequest] = []
    private var service: SandboxService
    private var faults: [(method: String, fault: Fault)] = []
    private var held: String?
    private var watchers = Waiters()

    init(tenants: [String] = ["default"]) {
        service = SandboxService(
            options: SandboxOptions(
                publicKey: "SS.PUBK.example",
                users: ["user-1", "user-2"],
                tenants: tenants,
                requireToken: false
            )
        )
    }

    /// Applies the fault to the next request with this method.
    func fail(_ method: String, _ fault: Fault) { faults.append((method, fault)) }

    /// Requests with this method are done at once and answered only after ``release()``.
    func hold(_ method: String) { held = method }

    func release() {
        held = nil
        watchers.wakeAll()
    }

    /// The preferences of the service.
    func truth(tenant: String = "default") throws -> PreferenceData {
        try preferences(service[InboxKey(user: "user-1", tenant: tenant)].preferences.full.text)
    }

    /// The user changes a value on another device.
    func change(tenant: String = "default", _ body: @Sendable (inout StoredPreferences) -> Void) {
        body(&service[InboxKey(user: "user-1", tenant: tenant)].preferences)
    }

    func count(_ method: String) -> Int { requests.count { $0.method == method } }

    /// The bodies of all changes, in order.
    var patches: [String] {
        requests.filter { $0.method == "PATCH" }.map { String(decoding: $0.body ?? [], as: UTF8.self) }
    }

    /// Waits until this number of requests with `method` were made.
    func wait(for method: String, _ number: Int = 1) async {
        while count(method) < number, !Task.isCancelled { await watchers.add().wait() }
    }

    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        requests.append(request)
        watchers.wakeAll()
        let fault = takeFault(request.method)
        if case .refused(let answer)? = fault { return try answer.get() }
        let answer = service.serve(request)
        while held == request.method, !Task.isCancelled { await watchers.add().wait() }
        if Task.isCancelled { throw TransportError(.cancelled, "cancelled") }
        if case .lost? = fault { throw TransportError(.closed(code: nil), "closed") }
        return answer
    }

    private func takeFault(_ method: String) -> Fault? {
        guard let index = faults.firstIndex(where: { $0.method == method }) else { return nil }
        return faults.remove(at: index).fault
    }

}

extension SandboxService {
    /// The answer to a request as it goes over the wire. A request that breaks a rule of the service is answered with
    /// status 599.
    mutating func serve(_ request: HTTPRequest) -> HTTPResponse {
        let target = "/" + request.url.split(separator: "/", maxSplits: 2)[2]
        let headers = Dictionary(request.headers.map { ($0.name.lowercased(), $0.value) }) { first, _ in first }
        let answer = handle(
            ServiceRequest(
                method: request.method,
                target: String(target),
                headers: headers,
                body: request.body ?? []
            ),
            now: base.milliseconds
        )
        guard answer.violations.isEmpty else { return response(599, answer.violations[0].message) }
        return HTTPResponse(status: answer.response.status, body: answer.response.body)
    }
}
