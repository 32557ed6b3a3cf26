import ClientKit

extension APIClient {
    /// The payload of CONNECT: the same values as in the headers and the query of a REST request.
    func connectPayload(token: String?) -> JSONValue {
        var payload: [String: JSONValue] = [
            "authorization": .string(context.publicKey),
            "distinct_id": .string(scope.distinctID),
            "tenant_id": .string(scope.tenantID ?? "default"),
            "schema": "1",
        ]
        if let token { payload["x-ss-signature"] = .string(token) }
        return .object(payload)
    }
}
