import ClientKit
package import Transport

/// Decodes an HTTP response: status first, then contents.
///
/// A refusal is the service's only in the service's own form. Anything in front of the service (an ingress, a gateway,
/// a proxy, a captive portal) also answers with 4xx, for as long as a deployment lasts, and its answer is unrelated
/// to the request and the credentials.
package struct ResponseDecoder: Sendable {
    /// Whether a JSON object with a bare message is an error of the service; see ``ErrorBody``.
    package var acceptsBareProblems: Bool

    package init(acceptsBareProblems: Bool = false) { self.acceptsBareProblems = acceptsBareProblems }

    /// Throws the error of a response without a successful status, and of a web page.
    package func check(_ response: HTTPResponse) throws(MagicBellError) {
        guard (200..<300).contains(response.status) else {
            let body = try? JSONValue(parsing: response.body, isTolerant: true)
            throw error(response, body.flatMap { ErrorBody($0, acceptsBare: acceptsBareProblems) })
        }
        if Self.isHTML(response) { throw unexpected(response) }
    }

    /// The contents of a successful response, or a typed error.
    package func contents<Contents: Decodable>(
        of response: HTTPResponse,
        as type: Contents.Type = Contents.self
    ) throws(MagicBellError) -> Contents {
        try check(response)
        guard let body = try? JSONValue(parsing: response.body, isTolerant: true),
            let contents = try? body.decode(Contents.self)
        else { throw unexpected(response) }
        return contents
    }

    /// The error of a response with a successful status that is not the service's.
    func unexpected(_ response: HTTPResponse) -> MagicBellError {
        MagicBellError(.unexpectedAnswer, Self.unreadable(response), status: response.status)
    }

    private func error(_ response: HTTPResponse, _ problem: ErrorBody?) -> MagicBellError {
        MagicBellError(
            Self.kind(status: response.status, problem),
            Self.sentence(response, problem),
            status: response.status,
            codes: problem?.codes ?? [],
            retryAfter: response.retryAfter.map { min($0, .seconds(3600)) }
        )
    }

    /// The documentation lists the codes without their status: the code decides where it is clear, otherwise the
    /// status.
    private static func kind(status: Int, _ problem: ErrorBody?) -> MagicBellError.Kind {
        switch status {
        // A timeout, a misdirected request, an early request, a client that closed (RFC 9110 §15.5.9 and §15.5.20,
        // RFC 8470 §5.2): the same request may succeed.
        case 408, 421, 425, 499: return .serverFailure
        case 429: return .rateLimited
        case 511: return .unexpectedAnswer
        case 500...: return .serverFailure
        default: break
        }
        guard let problem else { return .unexpectedAnswer }
        if problem.isAboutCredentials { return .unauthorized }
        switch status {
        case 401: return .unauthorized
        case 403: return .forbidden
        case 404: return .notFound
        case 400..<500: return problem.codes.contains("forbidden") ? .forbidden : .rejected
        default: return .unexpectedAnswer
        }
    }

    private static func sentence(_ response: HTTPResponse, _ problem: ErrorBody?) -> String {
        let status = response.status
        if let message = problem?.message { return "MagicBell refused with status \(status): \(message)" }
        if (300..<400).contains(status) {
            return "The host redirects (status \(status)): \(SignInPage.hint), or it is the wrong host."
        }
        if isHTML(response) || status == 511 {
            let page = "The host answered with a web page (status \(status)) instead of MagicBell's JSON"
            let isSignInPage = SignInPage.isLikely(status: status, contentType: "text/html")
            return page + (isSignInPage ? ": \(SignInPage.hint)." : ".")
        }
        if let codes = problem?.codes, !codes.isEmpty {
            return "MagicBell refused with status \(status) (\(codes.joined(separator: ", ")))."
        }
        guard (400..<500).contains(status), status != 429 else { return "MagicBell answered with status \(status)." }
        let advice = [401, 403].contains(status) ? " If this lasts, check the credentials." : ""
        return "The host answered with status \(status), but not in MagicBell's form; a gateway may have answered in "
            + "its place.\(advice)"
    }

    private static func unreadable(_ response: HTTPResponse) -> String {
        if response.body.isEmpty {
            return "The host answered with an empty body (status \(response.status)) instead of MagicBell's JSON."
        }
        if isHTML(response) { return sentence(response, nil) }
        return "The host answered with other JSON or none (status \(response.status)); it may not be MagicBell."
    }

    private static func isHTML(_ response: HTTPResponse) -> Bool {
        // The usual type first: a search in a text is slow.
        if let type = response.header("Content-Type")?.lowercased(), !type.hasPrefix("application/json"),
            type.contains("html")
        {
            return true
        }
        let whitespace: [UInt8] = [0x20, 0x09, 0x0A, 0x0D]
        return response.body.first { !whitespace.contains($0) } == UInt8(ascii: "<")
    }
}
