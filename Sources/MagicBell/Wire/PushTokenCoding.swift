import ClientKit

/// Where and how the two APIs store a kind of token.
extension PushToken {
    /// The segments of the collection's path.
    var collection: [String] {
        switch self {
        case .apns: ["channels", "mobile_push", "apns", "tokens"]
        case .fcm: ["channels", "mobile_push", "fcm", "tokens"]
        case .expo: ["channels", "mobile_push", "expo", "tokens"]
        case .webPush: ["channels", "web_push", "tokens"]
        case .pushSubscription: ["push_subscriptions"]
        }
    }

    /// What identifies it in a list. A secret.
    var address: String {
        switch self {
        case .apns(let token, _, _), .fcm(let token), .expo(let token), .pushSubscription(let token, _, _): token
        case .webPush(let endpoint, _, _, _): endpoint
        }
    }

    /// What must not appear in a message.
    var secrets: [String] {
        if case .webPush(let endpoint, _, let auth, _) = self { [endpoint, auth] } else { [address] }
    }

    /// The token without a wrapper: the body of the user API.
    package var payload: JSONValue {
        switch self {
        case .apns(let token, let environment, let appID):
            var members: [String: JSONValue] = [
                "device_token": .string(token), "installation_id": .string(environment.rawValue),
            ]
            if let appID { members["app_id"] = .string(appID) }
            return .object(members)
        case .fcm(let token), .expo(let token): return ["device_token": .string(token)]
        case .webPush(let endpoint, let p256dh, let auth, _):
            return ["endpoint": .string(endpoint), "keys": ["p256dh": .string(p256dh), "auth": .string(auth)]]
        case .pushSubscription(let token, let platform, let appBundleID):
            var members: [String: JSONValue] = [
                "device_token": .string(token), "platform": .string(platform.rawValue),
            ]
            if let appBundleID { members["app_bundle_id"] = .string(appBundleID) }
            return .object(members)
        }
    }

    /// The body of the REST API; nil: it has no such tokens.
    package var wrappedPayload: JSONValue? {
        switch self {
        case .apns: return ["apns": payload]
        case .fcm: return ["fcm": payload]
        case .expo: return nil
        case .webPush(_, _, _, let expires):
            var members = payload.object ?? [:]
            members["expirationTime"] = expires.map { .integer($0) } ?? .null
            return ["web_push": .object(members)]
        case .pushSubscription: return ["push_subscription": payload]
        }
    }

    /// Throws `invalidArgument` for an empty part.
    func validate() throws(MagicBellError) {
        switch self {
        case .apns(let token, _, _), .fcm(let token), .expo(let token):
            try Argument.check(token, named: "device token")
        case .webPush(let endpoint, let p256dh, let auth, _):
            try Argument.check(endpoint, named: "push subscription's endpoint")
            try Argument.check(p256dh, named: "push subscription's key")
            try Argument.check(auth, named: "push subscription's authentication secret")
        case .pushSubscription(let token, _, _):
            try Argument.check(token, named: "device token")
            guard token.utf8.count <= Limits.id else {
                throw MagicBellError(.invalidArgument, "The device token is longer than \(Limits.id) characters.")
            }
        }
    }
}

/// A list of tokens: `{"data":[…],"links":{…}}` from the user API. The form of the REST API's list is not documented:
/// an array under any name, of tokens with or without a wrapper.
package struct PushTokenList: Sendable, Equatable, Decodable {
    package var tokens: [Entry]
    /// Whether there are further pages.
    package var hasMore: Bool

    /// A token as the service stores it.
    package struct Entry: Sendable, Equatable {
        package var id: String
        /// The device token or the endpoint. A secret.
        package var address: String
        /// Whether the push service refused it, and nothing is sent to it any more.
        package var isDiscarded: Bool
    }

    package init(from decoder: any Decoder) throws {
        let body = try JSONValue(from: decoder)
        let arrays = body.object?.sorted { $0.key < $1.key }.lazy.compactMap(\.value.array)
        guard let list = body.array ?? body["data"]?.array ?? arrays?.first else {
            throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "no list of tokens"))
        }
        tokens = list.compactMap { Entry($0) }
        hasMore = body["links"]?["next"].map { $0 != .null } ?? false
    }
}

extension PushTokenList.Entry {
    fileprivate init?(_ value: JSONValue) {
        let nested = value.object?.values.lazy.first { $0.object != nil && $0["endpoint"]?.string != nil }
        guard let id = value["id"]?.string ?? nested?["id"]?.string, Limits.isID(id),
            let address = value["device_token"]?.string ?? value["endpoint"]?.string ?? nested?["endpoint"]?.string
        else { return nil }
        self.init(id: id, address: address, isDiscarded: value["discarded_at"].map { $0 != .null } ?? false)
    }
}

/// The start of an installation of web push: `{"public_key":…}`, wrapped in `web_push` by the REST API.
package struct WebPushKey: Sendable, Equatable, Decodable {
    package var publicKey: String

    package init(from decoder: any Decoder) throws {
        let body = try decoder.container(keyedBy: WireKey.self)
        let contents = (try? body.nestedContainer(keyedBy: WireKey.self, forKey: "web_push")) ?? body
        publicKey = try contents.required("public_key", contents.whole("public_key", Limits.id))
    }
}
