import Basics

/// A company's authorization server, and its backend that gives user tokens to whom that server lets in.
///
/// The authorization code grant with a proof key (RFC 6749 §4.1, RFC 7636), refresh tokens that rotate and end the
/// sign-in when they are used again, and revocation (RFC 7009). Persons choose who they are on a page, without a
/// password.
package struct SimulatedSignIn: Sendable, Equatable {
    /// What the server does in its own way.
    package struct Settings: Sendable, Equatable {
        /// The issuer in the metadata; nil: the one that is.
        package var issuer: String?
        /// The issuer in responses; nil: the one that is.
        package var respondingIssuer: String?
        package var grantsRefreshTokens = true
        /// The granted scope; nil: what was asked for.
        package var scope: String?
        /// The user of the backend's tokens; nil: who has signed in.
        package var backendUser: String?
        /// In seconds.
        package var accessLifetime: Int64 = 300
        /// Whether a user may enter a code on another device (RFC 8628).
        package var givesCodes = true
    }

    private struct Code: Sendable, Equatable {
        var user: String
        var query: [String: String]
    }

    /// A code that a user enters on another device.
    private struct DeviceCode: Sendable, Equatable {
        var userCode: String
        /// nil: nobody has entered it yet.
        var user: String?
        var isDenied = false
    }

    /// One sign-in of a user: all tokens that descend from one code.
    private struct Session: Sendable, Equatable {
        var user: String
        var access: String
        /// In milliseconds since the Unix epoch.
        var accessEnd: Int64
        var refresh: String
        var earlier: Set<String> = []
    }

    enum Answer: Equatable {
        case response(ServiceResponse)
        /// The backend gives a token of this user.
        case userToken(String)
    }

    package static let issuerPath = "/sign-in"
    package static let backendPath = "/user-token"

    package var settings = Settings()
    private let users: [String]
    private var codes: [String: Code] = [:]
    private var deviceCodes: [String: DeviceCode] = [:]
    private var sessions: [Session] = []
    /// All codes, proof keys and tokens that there were, which must be nowhere else.
    package private(set) var secrets: Set<String> = []

    package init(users: [String]) { self.users = users }

    /// nil: the path is not one of these.
    mutating func handle(_ request: ServiceRequest, now: Int64) -> Answer? {
        let origin = "http://\(request.headers["host"] ?? "127.0.0.1")"
        let query = FormFields(request.rawQuery).values
        switch request.rawPath {
        case "\(Self.issuerPath)/.well-known/openid-configuration": return .response(metadata(origin))
        case "\(Self.issuerPath)/authorize": return .response(page(query))
        case "\(Self.issuerPath)/answer": return .response(redirect(query, origin))
        case "\(Self.issuerPath)/device-code": return .response(deviceCode(origin))
        case "\(Self.issuerPath)/device": return .response(enter(query))
        case "\(Self.issuerPath)/token": return .response(tokens(form(request), now))
        case "\(Self.issuerPath)/revoke":
            end(form(request)["token"] ?? "")
            return .response(ServiceResponse(status: 200, body: []))
        case Self.backendPath: return backend(request, now)
        default: return nil
        }
    }

    /// Ends all sign-ins.
    package mutating func endAll() { sessions = [] }

    private func form(_ request: ServiceRequest) -> [String: String] {
        FormFields(String(decoding: request.body, as: UTF8.self)).values
    }

    // MARK: The browser

    private func metadata(_ origin: String) -> ServiceResponse {
        let issuer = origin + Self.issuerPath
        var metadata: [String: JSON] = [
            "issuer": .string(settings.issuer ?? issuer), "authorization_endpoint": .string("\(issuer)/authorize"),
            "token_endpoint": .string("\(issuer)/token"), "revocation_endpoint": .string("\(issuer)/revoke"),
            "code_challenge_methods_supported": ["S256"], "authorization_response_iss_parameter_supported": true,
        ]
        if settings.givesCodes { metadata["device_authorization_endpoint"] = .string("\(issuer)/device-code") }
        return ServiceResponse(json: .object(metadata))
    }

    /// RFC 8628 §3.2.
    private mutating func deviceCode(_ origin: String) -> ServiceResponse {
        let (code, userCode) = (Self.random(), Self.random().prefix(8).uppercased())
        deviceCodes[code] = DeviceCode(userCode: userCode)
        secrets.insert(code)
        return ServiceResponse(json: [
            "device_code": .string(code), "user_code": .string(userCode), "expires_in": 600, "interval": 1,
            "verification_uri": .string("\(origin)\(Self.issuerPath)/device"),
        ])
    }

    /// A user enters a code, and is signed in, or does not want to be.
    private mutating func enter(_ query: [String: String]) -> ServiceResponse {
        guard let code = deviceCodes.first(where: { $0.value.userCode == query["user_code"] })?.key else {
            return .html(200, "<h1>Sign In</h1><form><input name=user_code><input name=user><button>OK</button></form>")
        }
        let user = query["user"].flatMap { users.contains($0) ? $0 : nil }
        deviceCodes[code]?.user = user
        deviceCodes[code]?.isDenied = user == nil
        return .html(200, "<h1>Thank you</h1>")
    }

    /// Why an authorization request has no page; nil: it has one.
    private func problem(_ query: [String: String]) -> String? {
        let uri = query["redirect_uri"] ?? ""
        guard uri.wholeMatch(of: #/http://(127\.0\.0\.1|localhost|\[::1\]):[0-9]+/callback/#) != nil else {
            return "The redirect_uri is not registered."
        }
        if query["response_type"] != "code" || query["client_id"]?.isEmpty != false { return "This is no request." }
        if query["code_challenge_method"] != "S256" || query["code_challenge"]?.utf8.count != 43 {
            return "The request has no proof key."
        }
        return query["state"] == nil ? "The request has no state." : nil
    }

    private func page(_ query: [String: String]) -> ServiceResponse {
        if let problem = problem(query) { return .html(400, "<p>\(problem)</p>") }
        let hidden = query.sorted { $0.key < $1.key }.map { name, value in
            "<input type=hidden name=\"\(name.escapedForXMLAttribute)\" value=\"\(value.escapedForXMLAttribute)\">"
        }
        let buttons = users.map(\.escapedForXMLAttribute).map { user in
            "<p><button name=user value=\"\(user)\">Sign in as \(user)</button></p>"
        }
        let form = hidden + buttons + ["<p><button name=deny value=1>Do not sign in</button></p>"]
        return .html(200, "<h1>Sign In</h1><form action=\"\(Self.issuerPath)/answer\">\(form.joined())</form>")
    }

    private mutating func redirect(_ query: [String: String], _ origin: String) -> ServiceResponse {
        if let problem = problem(query) { return .html(400, "<p>\(problem)</p>") }
        var parameters = [("state", query["state"] ?? "")]
        parameters.append(("iss", settings.respondingIssuer ?? origin + Self.issuerPath))
        if let user = query["user"], users.contains(user) {
            let code = Self.random()
            codes[code] = Code(user: user, query: query)
            secrets.insert(code)
            parameters.append(("code", code))
        } else {
            parameters += [("error", "access_denied"), ("error_description", "The user did not allow it.")]
        }
        let encoded = parameters.map { "\($0)=\($1.percentEncoded)" }.joined(separator: "&")
        let location = "\(query["redirect_uri"] ?? "")?\(encoded)"
        return ServiceResponse(status: 302, headers: ["Location": location], body: [])
    }

    // MARK: Tokens

    private mutating func tokens(_ form: [String: String], _ now: Int64) -> ServiceResponse {
        switch form["grant_type"] {
        case "authorization_code":
            if let key = form["code_verifier"] { secrets.insert(key) }
            guard let code = codes.removeValue(forKey: form["code"] ?? ""),
                form["redirect_uri"] == code.query["redirect_uri"], form["client_id"] == code.query["client_id"],
                Base64.url(SHA256.hash(Array((form["code_verifier"] ?? "").utf8))) == code.query["code_challenge"]
            else { return .invalidGrant }
            return grant(Session(user: code.user, access: "", accessEnd: 0, refresh: ""), now)
        case "refresh_token":
            let token = form["refresh_token"] ?? ""
            guard let index = sessions.firstIndex(where: { $0.refresh == token && !token.isEmpty }) else {
                // One that was used before may have been stolen (RFC 9700 §4.14.2).
                sessions.removeAll { $0.earlier.contains(token) }
                return .invalidGrant
            }
            return grant(sessions.remove(at: index), now)
        case "urn:ietf:params:oauth:grant-type:device_code":
            let code = form["device_code"] ?? ""
            guard let entered = deviceCodes[code] else { return .invalidGrant }
            if entered.isDenied { return ServiceResponse(status: 400, json: ["error": "access_denied"]) }
            guard let user = entered.user else {
                return ServiceResponse(status: 400, json: ["error": "authorization_pending"])
            }
            deviceCodes[code] = nil
            return grant(Session(user: user, access: "", accessEnd: 0, refresh: ""), now)
        default: return ServiceResponse(status: 400, json: ["error": "unsupported_grant_type"])
        }
    }

    private mutating func grant(_ session: Session, _ now: Int64) -> ServiceResponse {
        var session = session
        if !session.refresh.isEmpty { session.earlier.insert(session.refresh) }
        session.access = Self.random()
        session.accessEnd = now + settings.accessLifetime * 1_000
        session.refresh = settings.grantsRefreshTokens ? Self.random() : ""
        sessions.append(session)
        secrets.formUnion([session.access, session.refresh].filter { !$0.isEmpty })
        var answer: [String: JSON] = [
            "access_token": .string(session.access), "token_type": "Bearer",
            "expires_in": .integer(settings.accessLifetime),
        ]
        if !session.refresh.isEmpty { answer["refresh_token"] = .string(session.refresh) }
        if let scope = settings.scope { answer["scope"] = .string(scope) }
        return ServiceResponse(json: .object(answer))
    }

    private mutating func end(_ token: String) {
        sessions.removeAll { $0.refresh == token || $0.access == token || $0.earlier.contains(token) }
    }

    private func backend(_ request: ServiceRequest, _ now: Int64) -> Answer {
        let bearer = request.headers["authorization"]?.split(separator: " ").last.map(String.init)
        guard let session = sessions.first(where: { $0.access == bearer && $0.accessEnd > now }) else {
            return .response(ServiceResponse(status: 401, json: ["error": "invalid_token"]))
        }
        return .userToken(settings.backendUser ?? session.user)
    }

    private static func random() -> String { Base64.url((0..<24).map { _ in .random(in: .min ... .max) }) }
}

/// The fields of a form or a query; a name that is there twice has the last value.
private struct FormFields {
    var values: [String: String] = [:]

    init(_ text: String?) {
        for pair in (text ?? "").split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = Percent.decodeForm(String(parts[0])),
                let value = Percent.decodeForm(parts.count > 1 ? String(parts[1]) : "")
            else { continue }
            values[name] = value
        }
    }
}

extension ServiceResponse {
    fileprivate static var invalidGrant: ServiceResponse {
        ServiceResponse(status: 400, json: ["error": "invalid_grant"])
    }

    fileprivate static func html(_ status: Int, _ body: String) -> ServiceResponse {
        let page = "<!DOCTYPE html><meta charset=utf-8><title>Sign In</title>\(body)"
        return ServiceResponse(status: status, headers: ["Content-Type": "text/html"], body: Array(page.utf8))
    }
}

extension SimulatedSignIn.Settings {
    /// Reads the arguments of the command `sign-in`.
    init(_ command: inout SandboxCommand) throws(CommandMistake) {
        issuer = try command.string("issuer")
        respondingIssuer = try command.string("iss")
        grantsRefreshTokens = try command.bool("refresh") ?? true
        scope = try command.string("scope")
        backendUser = try command.string("user")
        accessLifetime = try command.integer("lifetime_s") ?? accessLifetime
        givesCodes = try command.bool("codes") ?? true
    }
}
