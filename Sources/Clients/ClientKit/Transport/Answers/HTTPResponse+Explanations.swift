/// Explanations of responses that are not what a client asked for, in sentences for the user.
///
/// Not only the service answers: an ingress, a gateway, a proxy or a captive portal may do so in its place.
extension HTTPResponse {
    /// The pause before a retry that the response asks for, at most one hour.
    package var pause: Duration? { retryAfter.map { min($0, .seconds(3600)) } }

    /// Whether the response is a web page.
    package var isHTML: Bool {
        // The usual type first: a search in a text is slow.
        if let type = header("Content-Type")?.lowercased(), !type.hasPrefix("application/json"), type.contains("html") {
            return true
        }
        let whitespace: [UInt8] = [0x20, 0x09, 0x0A, 0x0D]
        return body.first { !whitespace.contains($0) } == UInt8(ascii: "<")
    }

    /// Why a request failed.
    ///
    /// - Parameters:
    ///   - service: The service's name.
    ///   - message: The service's own words; nil or empty: none.
    ///   - codes: The service's own error codes.
    package func refusal(by service: String, message: String? = nil, codes: [String] = []) -> String {
        if let message, let end = message.last {
            return "\(service) refused with status \(status): \(message)" + (".!?…。！？।".contains(end) ? "" : ".")
        }
        if (300..<400).contains(status) {
            return "The host redirects (status \(status)): \(SignInPage.hint), or it is the wrong host."
        }
        if isHTML || status == 511 {
            let page = "The host answered with a web page (status \(status)) instead of \(service)'s JSON"
            let isSignInPage = SignInPage.isLikely(status: status, contentType: "text/html")
            return page + (isSignInPage ? ": \(SignInPage.hint)." : ".")
        }
        if !codes.isEmpty { return "\(service) refused with status \(status) (\(codes.joined(separator: ", ")))." }
        guard (400..<500).contains(status), status != 429 else { return "\(service) answered with status \(status)." }
        let advice = [401, 403].contains(status) ? " If this lasts, check the credentials." : ""
        return "The host answered with status \(status), but not in \(service)'s form; a gateway may have answered in "
            + "its place.\(advice)"
    }

    /// Why a response with a successful status is not the one of `service`.
    package func unreadableContents(of service: String) -> String {
        if body.isEmpty {
            return "The host answered with an empty body (status \(status)) instead of \(service)'s JSON."
        }
        if isHTML { return refusal(by: service) }
        return "The host answered with other JSON or none (status \(status)); it may not be \(service)."
    }
}
