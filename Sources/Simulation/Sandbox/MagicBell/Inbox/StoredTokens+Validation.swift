extension StoredTokens.Kind {
    /// The problem of a token as a client sends it; nil if it is valid.
    func problem(with payload: [String: JSON]) -> String? {
        let known: Set<String> =
            switch self {
            case .apns: ["device_token", "app_id", "installation_id"]
            case .fcm, .expo: ["device_token"]
            case .webPush: ["endpoint", "keys", "expirationTime"]
            case .inbox: ["token", "connection_id"]
            case .slack, .teams: ["webhook", "oauth"]
            case .pushSubscription: ["device_token", "platform", "app_bundle_id"]
            }
        if let key = payload.keys.sorted().first(where: { !known.contains($0) }) {
            return "A token of kind \(rawValue) has no member '\(key)'."
        }
        func text(_ key: String) -> String { payload[key]?.string ?? "" }
        switch self {
        case .apns, .fcm:
            guard text("device_token").count >= 64 else { return "'device_token' must have 64 characters or more." }
            let environment = payload["installation_id"]
            guard [nil, "development", "production"].contains(environment) else {
                return "'installation_id' must be development or production."
            }
        case .expo: if text("device_token").isEmpty { return "'device_token' is missing." }
        case .webPush:
            guard text("endpoint").hasPrefix("https://"), payload["keys"]?["auth"]?.string?.isEmpty == false,
                payload["keys"]?["p256dh"]?.string?.isEmpty == false
            else { return "A web push token needs 'endpoint' and 'keys' with 'auth' and 'p256dh'." }
        case .inbox: if text("token").count < 64 { return "'token' must have 64 characters or more." }
        case .slack, .teams: break
        case .pushSubscription:
            guard (1...255).contains(text("device_token").count) else {
                return "'device_token' must have 1 to 255 characters."
            }
            guard ["ios", "android", "safari"].contains(text("platform")) else {
                return "'platform' must be ios, android or safari."
            }
        }
        return nil
    }
}
