@testable import Sandbox

/// Requests of a correct client; a test changes one part of them.
enum Requests {
    static let now: Int64 = 1_754_346_745_613
    static let headers = [
        "content-type": "application/json",
        "authorization": "SS.PUBK.sandbox",
        "x-ss-signature": SandboxToken.make(entityID: "user-1", expiresAt: 4_102_444_800),
        "x-suprsend-user-agent": "suprsend-swift-sdk/1.2.0 (swift/6.1; linux)",
        "x-suprsend-client-user-agent": "{\"sdk\":\"suprsend-swift-sdk\"}",
    ]
    static let user = "distinct_id=user-1&tenant_id=default"

    /// `feed("notifications", "page_size=2&search_after=%5B%5D")`
    static func feed(_ path: String, _ query: String = "") -> ServiceRequest {
        ServiceRequest(
            method: "GET",
            target: "/v1/feed/\(path)?\(user)" + (query.isEmpty ? "" : "&\(query)"),
            headers: headers
        )
    }

    static func action(_ method: String, _ path: String, _ body: JSON = [:]) -> ServiceRequest {
        ServiceRequest(method: method, target: "/v1/feed/\(path)?\(user)", headers: headers, body: body.bytes)
    }

    static func hub(_ method: String, _ target: String, _ body: JSON? = nil) -> ServiceRequest {
        ServiceRequest(method: method, target: target, headers: headers, body: body?.bytes ?? [])
    }

    /// Percent-encodes everything but unreserved characters.
    static func encoded(_ json: JSON) -> String { encoded(json.text) }

    static func encoded(_ text: String) -> String {
        text.utf8.map { byte in
            let character = Character(Unicode.Scalar(byte))
            if character.isASCII, character.isLetter || character.isNumber || "-._~".contains(character) {
                return String(character)
            }
            return "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }.joined()
    }
}

extension SandboxService.Answer {
    var json: JSON? { JSON(parsing: response.body) }
    var ids: [String] { json?["results"]?.array?.compactMap { $0["n_id"]?.string } ?? [] }
    var errorType: String? { json?["error"]?["type"]?.string }
}

extension SandboxState {
    /// A state whose only user has these rows, in this order of arrival.
    init(rows: [JSON], options: SandboxOptions = SandboxOptions()) throws {
        self.init(options: options)
        _ = try execute("publish", ["notifications": .array(rows)], wall: Requests.now)
    }

    mutating func execute(_ name: String, _ arguments: JSON = [:], wall: Int64 = 0) throws(CommandMistake) -> (
        answer: JSON, effects: [SocketEffect]
    ) { try execute(SandboxCommand(name, arguments), wall: wall) }

    mutating func execute(line: String) throws(CommandMistake) -> JSON? {
        guard let command = try SandboxCommand(line: line) else { return nil }
        return try execute(command, wall: Requests.now).answer
    }
}

extension SandboxOptions {
    /// Without tokens.
    static let open = SandboxOptions(requireToken: false)
}
