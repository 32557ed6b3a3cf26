public import ClientKit

/// This device's address at a push service.
public enum PushToken: Sendable, Hashable {
    /// Web push: the subscription of the browser or the UnifiedPush distributor (`endpoint`, `keys`).
    case web([String: JSONValue])
    /// Firebase.
    case android(token: String, bundleID: String)
    /// Apple.
    case ios(token: String, bundleID: String)

    func validate() throws(SuprSendError) {
        switch self {
        case .web(let subscription):
            if subscription.isEmpty { throw SuprSendError(.invalidArgument, "The web push subscription is empty.") }
        case .android(let token, let bundleID), .ios(let token, let bundleID):
            try ArgumentCheck.check(token, named: "push token")
            try ArgumentCheck.check(bundleID, named: "push token's bundle id")
        }
    }

    /// The value of `$append` and `$remove`. A secret.
    func entry(deviceID: String) -> JSONValue {
        var entry: [String: JSONValue] = ["$device_id": .string(deviceID)]
        switch self {
        case .web(let subscription):
            entry["$webpush"] = .object(subscription)
            entry["$id_provider"] = "vapid"
        case .android(let token, let bundleID):
            entry["$androidpush"] = .string(token)
            entry["$id_provider"] = "fcm"
            entry["$bundle_id"] = .string(bundleID)
        case .ios(let token, let bundleID):
            entry["$iospush"] = .string(token)
            entry["$id_provider"] = "apns"
            entry["$bundle_id"] = .string(bundleID)
        }
        return .object(entry)
    }
}
