package import ClientKit

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
        if response.isHTML { throw unexpected(response) }
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
        MagicBellError(
            .unexpectedAnswer,
            response.unreadableContents(of: MagicBellError.service),
            status: response.status
        )
    }

    private func error(_ response: HTTPResponse, _ problem: ErrorBody?) -> MagicBellError {
        MagicBellError(
            Self.kind(status: response.status, problem),
            response.refusal(by: MagicBellError.service, message: problem?.message, codes: problem?.codes ?? []),
            status: response.status,
            codes: problem?.codes ?? [],
            retryAfter: response.pause
        )
    }

    /// The documentation lists the codes without their status: the code decides where it is clear, otherwise the
    /// status.
    private static func kind(status: Int, _ problem: ErrorBody?) -> MagicBellError.Kind {
        if let kind = MagicBellError.Kind(status: status) { return kind }
        if status >= 500 { return .serverFailure }
        guard let problem else { return .unexpectedAnswer }
        if problem.isAboutCredentials { return .unauthorized }
        let kind = MagicBellError.Kind(refusal: status)
        return kind == .rejected && problem.codes.contains("forbidden") ? .forbidden : kind
    }
}
