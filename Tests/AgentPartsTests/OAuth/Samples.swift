import Basics
import ClientKit
import Foundation

@testable import Agent

/// A server, a client and a request with texts that tests can name.
enum Sample {
    static let issuer = (try? Issuer("https://login.example.com/realms/staff"))!
    static let client = ClientRegistration(issuer: issuer, clientID: "feedbell")
    static let metadata = (try? ServerMetadata([document], of: issuer))!

    static let document: JSONValue = [
        "issuer": "https://login.example.com/realms/staff",
        "authorization_endpoint": "https://login.example.com/authorize",
        "token_endpoint": "https://login.example.com/token",
    ]

    static var request: AuthorizationRequest {
        var request = AuthorizationRequest(redirectURI: "http://127.0.0.1:45613/callback")
        request.state = "S"
        request.nonce = "N"
        // RFC 7636, appendix B.
        request.verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
        return request
    }

    /// An unsigned JWT.
    static func token(_ claims: JSONValue) -> String {
        let payload = Data(claims.text.utf8).base64EncodedString().replacing("=", with: "")
            .replacing("+", with: "-").replacing("/", with: "_")
        return "eyJhbGciOiJub25lIn0.\(payload).c2ln"
    }
}

extension HTTPResponse {
    /// A JSON answer.
    init(_ status: Int, _ body: String, _ headers: [HTTPField] = [HTTPField("Content-Type", "application/json")]) {
        self.init(status: status, headers: headers, body: Array(body.utf8))
    }

    static func html(_ status: Int) -> HTTPResponse {
        HTTPResponse(status, "<!DOCTYPE html><title>Log in</title>", [HTTPField("Content-Type", "text/html")])
    }
}
