package import Transport

/// Everything about a request that does not change between calls: host, user, tenant, key.
package struct RequestBuilder: Sendable, Equatable {
    package var apiHost: String
    package var publicKey: String
    package var distinctID: String
    package var tenantID: String

    package init(apiHost: String, publicKey: String, distinctID: String, tenantID: String) {
        self.apiHost = apiHost
        self.publicKey = publicKey
        self.distinctID = distinctID
        self.tenantID = tenantID
    }

    /// The request for `call`; without a token its header is absent (suprsend.md §1.5).
    package func request(for call: FeedCall, token: String?) -> HTTPRequest {
        let parameters = [("distinct_id", distinctID), ("tenant_id", tenantID)] + call.query
        let query = parameters.map { "\($0)=\($1.percentEncoded)" }.joined(separator: "&")
        var headers = [
            HTTPField("Content-Type", "application/json"),
            HTTPField("Authorization", publicKey),
            HTTPField("X-Suprsend-Client-User-Agent", ClientDescription.json),
            HTTPField("X-Suprsend-User-Agent", ClientDescription.line),
        ]
        if let token { headers.append(HTTPField("x-ss-signature", token)) }
        return HTTPRequest(
            method: call.method,
            url: "\(apiHost)/v1/feed/\(call.path)?\(query)",
            headers: headers,
            body: call.body.map { Array($0.utf8) }
        )
    }
}
