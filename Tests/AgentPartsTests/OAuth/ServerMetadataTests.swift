import ClientKit
import Testing

@testable import Agent

@Suite struct ServerMetadataTests {
    @Test(
        "The places of the metadata follow from the issuer",
        arguments: [
            (
                "https://login.example.com", "https://login.example.com/.well-known/openid-configuration",
                "https://login.example.com/.well-known/oauth-authorization-server", "login.example.com"
            ),
            (
                "https://login.example.com/realms/staff/",
                "https://login.example.com/realms/staff/.well-known/openid-configuration",
                "https://login.example.com/.well-known/oauth-authorization-server/realms/staff", "login.example.com"
            ),
            (
                "http://127.0.0.1:8080/o", "http://127.0.0.1:8080/o/.well-known/openid-configuration",
                "http://127.0.0.1:8080/.well-known/oauth-authorization-server/o", "127.0.0.1:8080"
            ),
        ]
    )
    func places(_ text: String, _ configuration: String, _ metadata: String, _ host: String) throws {
        let issuer = try Issuer(text)
        #expect(issuer.text == text)
        #expect(issuer.configurationURL == configuration)
        #expect(issuer.metadataURL == metadata)
        #expect(issuer.host == host)
    }

    @Test(
        "An issuer is an https address without a query, or one of this computer",
        arguments: [
            "login.example.com", "http://login.example.com", "https://login.example.com?tenant=1",
            "https://login.example.com#x", "https://user@login.example.com", "https://", "https://a b.example.com", "",
        ]
    )
    func invalid(_ text: String) { #expect(throws: BaseURL.Problem.self) { try Issuer(text) } }

    @Test("The second document has what the first one lacks") func twoDocuments() throws {
        var second = Sample.document.object ?? [:]
        second["token_endpoint"] = "https://login.example.com/other"
        second["revocation_endpoint"] = "https://login.example.com/revoke"
        second["authorization_response_iss_parameter_supported"] = true
        let metadata = try ServerMetadata([Sample.document, .object(second)], of: Sample.issuer)
        #expect(metadata.tokenEndpoint == "https://login.example.com/token")
        #expect(metadata.revocationEndpoint == "https://login.example.com/revoke")
        #expect(metadata.namesIssuer)
        #expect(!Sample.metadata.namesIssuer)
    }

    @Test(
        "Nothing is used of a document with another issuer, or with an endpoint that is not secure",
        arguments: [
            ("issuer", "https://login.example.com/realms/staff/"), ("issuer", "https://login.example.com/realms/Staff"),
            ("issuer", nil), ("token_endpoint", nil), ("authorization_endpoint", nil),
            ("token_endpoint", "http://login.example.com/token"), ("authorization_endpoint", "javascript:alert(1)"),
            ("authorization_endpoint", "https://login.example.com/a b"),
            ("authorization_endpoint", "https://login.example.com/?a=\"b"),
            ("revocation_endpoint", "ftp://example.com"),
            ("token_endpoint", "https://user@login.example.com/token"),
        ] as [(String, String?)]
    )
    func unusable(_ member: String, _ value: String?) {
        var document = Sample.document.object ?? [:]
        document[member] = value.map(JSONValue.string)
        #expect { try ServerMetadata([.object(document)], of: Sample.issuer) } throws: {
            ($0 as? OAuthError)?.kind == .unexpected
        }
    }

    @Test("A decomposed letter is another issuer") func exactIssuer() throws {
        let issuer = try Issuer("https://login.example.com/e")
        var document = Sample.document.object ?? [:]
        document["issuer"] = "https://login.example.com/e\u{301}"
        #expect(throws: OAuthError.self) { try ServerMetadata([.object(document)], of: issuer) }
    }
}
