/// One HTTP request, not decoded, so that the service can check its exact form.
package struct ServiceRequest: Sendable, Equatable {
    package var method: String
    /// Path and query as on the request line.
    package var target: String
    /// Names are lower case.
    package var headers: [String: String]
    package var body: [UInt8]

    package init(method: String, target: String, headers: [String: String] = [:], body: [UInt8] = []) {
        self.method = method
        self.target = target
        self.headers = headers
        self.body = body
    }

    /// The path as written.
    package var rawPath: String { String(target.prefix { $0 != "?" }) }

    /// The query as written, without the "?"; nil without one.
    package var rawQuery: String? {
        target.firstIndex(of: "?").map { String(target[target.index(after: $0)...]) }
    }

    /// Decoded path segments; nil when an escape is malformed. A slash at the end gives an empty last segment.
    package var segments: [String]? {
        var segments: [String] = []
        for part in rawPath.split(separator: "/", omittingEmptySubsequences: false).dropFirst() {
            guard let segment = Percent.decode(String(part)) else { return nil }
            segments.append(segment)
        }
        return segments
    }
}

/// One HTTP answer.
package struct ServiceResponse: Sendable, Equatable {
    package var status: Int
    package var headers: [String: String]
    package var body: [UInt8]

    package init(status: Int, headers: [String: String] = ["Content-Type": "application/json"], body: [UInt8]) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    package init(status: Int = 200, json: JSON) {
        self.init(status: status, body: json.bytes)
    }

    /// The answer to an action on notifications.
    package static let success = ServiceResponse(json: ["status": "success"])

    /// An error in the envelope of the feed and event endpoints.
    package static func error(_ status: Int, _ type: String, _ message: String) -> ServiceResponse {
        ServiceResponse(
            status: status,
            json: ["status": "error", "error": ["type": .string(type), "message": .string(message)]]
        )
    }

    /// An error of the preference endpoints below `/v1/user/`, without an envelope.
    package static func bare(_ status: Int, _ message: String, detail: JSON? = nil) -> ServiceResponse {
        var body: [String: JSON] = ["code": .integer(Int64(status)), "message": .string(message)]
        if let detail { body["detail"] = detail }
        return ServiceResponse(status: status, json: .object(body))
    }
}

/// RFC 3986 percent decoding.
enum Percent {
    /// Decodes text of a query, in which "+" is a space.
    static func decodeForm(_ text: String) -> String? {
        decode(String(text.map { $0 == "+" ? " " : $0 }))
    }

    /// nil for a broken escape or for text that is not UTF-8. "+" stays "+".
    static func decode(_ text: String) -> String? {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        Character(Unicode.Scalar(byte)).hexDigitValue.map(UInt8.init)
    }
}
