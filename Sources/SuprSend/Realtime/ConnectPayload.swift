import ClientKit

extension Service {
    /// What CONNECT carries to the realtime server: who connects, in the words of the REST side's headers and query.
    func connectPayload(token: String?) -> JSONValue {
        var payload: [String: JSONValue] = [
            "authorization": .string(workspace.publicKey),
            "distinct_id": .string(scope.distinctID),
            "tenant_id": .string(scope.tenantID ?? "default"),
            "schema": "1",
        ]
        if let token { payload["x-ss-signature"] = .string(token) }
        return .object(payload)
    }
}
