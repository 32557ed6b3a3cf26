package import ClientKit

/// Decodes an HTTP response: status first, then envelope, then contents.
///
/// A refusal is the service's only in the service's own form. Anything in front of the service (an ingress, a gateway,
/// a proxy, a captive portal) also answers with 4xx, for as long as a deployment lasts, and its answer is unrelated
/// to the request and the credentials.
package enum ResponseDecoder {
    /// The contents, or a typed error. A response is a success only if its status *and* its body show success; for a
    /// change the status suffices, unless the body is a web page or an error.
    package static func decode<Contents: Decodable>(
        _ response: HTTPResponse,
        as type: Contents.Type
    ) throws(SuprSendError) -> Contents {
        let body = try? JSONValue(parsing: response.body, isTolerant: true)
        guard (200..<300).contains(response.status) else {
            throw error(response, try? body?.decode(ServiceErrorBody.self))
        }
        // An error in the service's form, or the contents themselves.
        let status = body?["status"]?.string?.lowercased()
        if status == "error" || status == "fail" || body?["error"]?.object != nil {
            if let problem = try? body?.decode(ServiceErrorBody.self) { throw error(response, problem) }
        } else if body?.object != nil, let contents = try? body?.decode(Contents.self) {
            return contents
        } else if !response.isHTML, let nothing = (Contents.self as? any EmptyAnswer.Type)?.init() as? Contents {
            return nothing
        }
        throw SuprSendError(
            .unexpectedAnswer,
            response.unreadableContents(of: SuprSendError.service),
            status: response.status
        )
    }

    private static func error(_ response: HTTPResponse, _ problem: ServiceErrorBody?) -> SuprSendError {
        let problem = problem.flatMap { $0.code == nil || $0.code == Int64(response.status) ? $0 : nil }
        // Limited by scalars: one character can be as long as the body.
        let type = problem?.type.map { String($0.unicodeScalars.prefix(60)).uppercased() }
        let message = problem?.message.map { String($0.unicodeScalars.prefix(300)) }
        return SuprSendError(
            kind(status: response.status, type: type, isByTheService: problem != nil),
            response.refusal(by: SuprSendError.service, message: message, codes: type.map { [$0] } ?? []),
            status: response.status,
            serviceType: type,
            retryAfter: response.pause
        )
    }

    /// The relation between type and status is not documented: the type decides where it is clear, otherwise the
    /// status.
    private static func kind(status: Int, type: String?, isByTheService: Bool) -> SuprSendError.Kind {
        if let kind = SuprSendError.Kind(status: status) { return kind }
        if type == "TOKEN_EXPIRED" || type == "TOKEN_INVALID" { return .unauthorized }
        if status >= 500 { return .serverFailure }
        guard isByTheService else { return .unexpectedAnswer }
        switch (status, type) {
        case (401, _): return .unauthorized
        case (_, "PERMISSION_DENIED"): return .forbidden
        case (_, "NOT_FOUND"): return .notFound
        case (200..<300, _): return .rejected
        default: return SuprSendError.Kind(refusal: status)
        }
    }
}

/// An error of the service: `{"status":"error","error":{"type":…,"message":…}}`, or, for preferences,
/// `{"code":404,"message":…}` with only the members that the service writes there. Decoding anything else fails.
private struct ServiceErrorBody: Decodable {
    /// The HTTP status as repeated in the body.
    var code: Int64?
    var type: String?
    var message: String?

    init(from decoder: any Decoder) throws {
        let body = try decoder.container(keyedBy: WireKey.self)
        if body.contains("error") {
            let status = try body.required("status", body.value("status", as: String.self)).lowercased()
            let error = try body.nestedContainer(keyedBy: WireKey.self, forKey: "error")
            type = error.value("type")
            message = error.value("message")
            guard status == "error" || status == "fail", type != nil || message != nil else {
                throw Self.foreign(decoder)
            }
        } else {
            code = try body.required("code", body.integer("code"))
            type = body.value("type")
            message = try body.required("message", body.value("message", as: String.self))
            guard body.allKeys.allSatisfy({ Self.bareKeys.contains($0.stringValue) }) else {
                throw Self.foreign(decoder)
            }
        }
    }

    private static let bareKeys: Set = ["code", "error_code", "type", "message", "detail"]

    private static func foreign(_ decoder: any Decoder) -> DecodingError {
        .dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "not an error of the service"))
    }
}
