/// A request in the log, without secrets.
package struct LoggedRequest: Sendable, Equatable {
    /// Starts at 1 and always increases.
    package var number: Int
    package var method: String
    /// Percent escapes unchanged.
    package var path: String
    /// Without "?", and with placeholders for tokens; nil when the target has none.
    package var query: String?
    /// Lower-case names. A user token of SuprSend is replaced by its user and generation, its public key, the HMAC and
    /// the user token of MagicBell by placeholders.
    package var headers: [String: String]
    package var body: [UInt8]
    /// Milliseconds since the Unix epoch.
    package var time: Int64
    /// The status of the answer; for a faulty answer, the status without the fault.
    package var status: Int
    package var isSpoilt: Bool

    /// Decoded query parameters; the last one of a name wins.
    package var parameters: [String: String] {
        var result: [String: String] = [:]
        for pair in (query ?? "").split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard let name = Percent.decodeForm(parts[0]) else { continue }
            result[name] = parts.count > 1 ? Percent.decodeForm(parts[1]) : ""
        }
        return result
    }

    /// The body as JSON.
    package var json: JSON? { JSON(parsing: body) }

    /// The entry in the list `requests`.
    var listed: JSON {
        [
            "number": .integer(Int64(number)), "method": .string(method), "path": .string(path),
            "query": query.map(JSON.string) ?? .null, "time": .integer(time),
            "headers": .object(headers.mapValues(JSON.string)),
            "body": body.isEmpty ? .null : json ?? .string(String(decoding: body, as: UTF8.self)),
            "status": .integer(Int64(status)), "fault": .bool(isSpoilt),
        ]
    }

    static func withoutSecrets(_ headers: [String: String], publicKey: String) -> [String: String] {
        var result = headers
        if let key = headers["authorization"] {
            result["authorization"] =
                key == publicKey ? "(public key)" : key.hasPrefix("Bearer ") ? "Bearer (token)" : "(unknown)"
        }
        if headers["x-magicbell-user-hmac"] != nil { result["x-magicbell-user-hmac"] = "(hmac)" }
        if let text = headers["x-ss-signature"] {
            result["x-ss-signature"] =
                SandboxToken(parsing: text).map { "(token \($0.generation) of \($0.entityID))" }
                ?? (text.isEmpty ? "" : "(no token)")
        }
        return result
    }
    /// A query whose tokens are replaced by placeholders.
    static func withoutSecrets(_ query: String) -> String {
        query.split(separator: "&", omittingEmptySubsequences: false).map { pair in
            for name in ["accessToken=", "token=", "resume="] where pair.hasPrefix(name) { return name + "(secret)" }
            return String(pair)
        }.joined(separator: "&")
    }
}
