import FoundationEssentials
package import Transport

/// Reading an HTTP answer: status first, then envelope, then contents (suprsend.md §2.2).
package enum Answer {
    /// The contents, or a typed error. An answer is a success only if its status *and* its body say so.
    package static func decode<Contents: Decodable>(
        _ response: HTTPResponse,
        as type: Contents.Type
    ) throws(SuprSendError) -> Contents {
        guard (200..<300).contains(response.status) else { throw failure(of: response) }
        if response.status == 204, let nothing = (Contents.self as? any EmptyAnswer.Type)?.init() as? Contents {
            return nothing
        }
        do {
            let envelope = try JSONDecoder().decode(Envelope<Contents>.self, from: Data(response.body))
            switch envelope {
            case .success(let contents): return contents
            case .failure(let type, let message): throw error(response, type: type, message: message)
            }
        } catch let error as SuprSendError {
            throw error
        } catch {
            throw SuprSendError(.unexpectedAnswer, unreadable(response), status: response.status)
        }
    }

    private static func failure(of response: HTTPResponse) -> SuprSendError {
        let problem = try? JSONDecoder().decode(Problem.self, from: Data(response.body))
        return error(response, type: problem?.type, message: problem?.message)
    }

    private static func error(_ response: HTTPResponse, type: String?, message: String?) -> SuprSendError {
        // Cut by scalars: one character can be as long as the body.
        let type = type.map { String($0.unicodeScalars.prefix(60)).uppercased() }
        let said = message.map { String($0.unicodeScalars.prefix(300)) }
        return SuprSendError(
            kind(
                status: response.status,
                type: type,
                isPage: isHTML(response) && [401, 403].contains(response.status)
            ),
            sentence(response, type: type, said: said),
            status: response.status,
            serviceType: type,
            retryAfter: response.retryAfter.map { min($0, .seconds(3600)) }
        )
    }

    /// Which type goes with which status is not documented, so the type decides where it is clear, else the status.
    ///
    /// - Parameter isPage: It refuses with a page for people: it is not the service's, whose credentials are in no doubt.
    private static func kind(status: Int, type: String?, isPage: Bool) -> SuprSendError.Kind {
        switch type {
        case _ where isPage: return .unexpectedAnswer
        case "TOKEN_EXPIRED", "TOKEN_INVALID": return .unauthorized
        case "PERMISSION_DENIED" where status != 401: return .forbidden
        case "NOT_FOUND": return .notFound
        default: break
        }
        switch status {
        case 401: return .unauthorized
        case 403: return .forbidden
        case 404: return .notFound
        case 429: return .rateLimited
        case 511: return .unexpectedAnswer
        case 500...: return .serverFailure
        case 400..<500, 200..<300: return .rejected
        default: return .unexpectedAnswer
        }
    }

    private static func sentence(_ response: HTTPResponse, type: String?, said: String?) -> String {
        if let said, !said.isEmpty { return "SuprSend refused with status \(response.status): \(said)" }
        if (300..<400).contains(response.status) {
            return "The host redirects (status \(response.status)): \(SignInPage.suspicion), or it is the wrong host."
        }
        if isHTML(response) || response.status == 511 {
            let page = "The host answered with a web page (status \(response.status)) instead of SuprSend's JSON"
            let isSignInPage = SignInPage.isLikely(status: response.status, contentType: "text/html")
            return page + (isSignInPage ? ": \(SignInPage.suspicion)." : ".")
        }
        if let type { return "SuprSend refused with status \(response.status) (\(type))." }
        return "SuprSend answered with status \(response.status)."
    }

    private static func unreadable(_ response: HTTPResponse) -> String {
        if response.body.isEmpty {
            return "The host answered with an empty body (status \(response.status)) instead of SuprSend's JSON."
        }
        if isHTML(response) { return sentence(response, type: nil, said: nil) }
        return
            "The host answered with JSON of another form, or none (status \(response.status)); this may not be SuprSend."
    }

    private static func isHTML(_ response: HTTPResponse) -> Bool {
        if response.header("Content-Type")?.lowercased().contains("html") == true { return true }
        let whitespace: [UInt8] = [0x20, 0x09, 0x0A, 0x0D]
        return response.body.first { !whitespace.contains($0) } == UInt8(ascii: "<")
    }
}

/// `{"status":"error","error":{…}}`, or the contents themselves.
private enum Envelope<Contents: Decodable>: Decodable {
    case success(Contents)
    case failure(type: String?, message: String?)

    init(from decoder: any Decoder) throws {
        let body = try decoder.container(keyedBy: WireKey.self)
        let status = body.value("status", as: String.self)?.lowercased()
        if status == "error" || status == "fail"
            || (try? body.nestedContainer(keyedBy: WireKey.self, forKey: "error")) != nil
        {
            let problem = try Problem(from: decoder)
            self = .failure(type: problem.type, message: problem.message)
        } else {
            self = .success(try Contents(from: decoder))
        }
    }
}

/// The service's error bodies: in an envelope, or bare with `code`, `message`, `type`.
private struct Problem: Decodable {
    var type: String?
    var message: String?

    init(from decoder: any Decoder) throws {
        let body = try decoder.container(keyedBy: WireKey.self)
        let inner = (try? body.nestedContainer(keyedBy: WireKey.self, forKey: "error")) ?? body
        type = inner.value("type")
        message = inner.value("message") ?? body.value("error")
    }
}
