import Basics
import ClientKit
import FoundationEssentials

extension PushToken.Kind {
    /// The segments of the collection's path.
    var collection: [String] {
        switch self {
        case .apns, .fcm, .expo: ["channels", "mobile_push", rawValue, "tokens"]
        case .webPush, .slack, .teams: ["channels", rawValue, "tokens"]
        case .pushSubscription: ["push_subscriptions"]
        }
    }

    /// For messages, after "tokens of".
    var name: String {
        switch self {
        case .apns: "Apple's push service"
        case .fcm: "Firebase"
        case .expo: "Expo"
        case .webPush: "browsers"
        case .slack: "Slack"
        case .teams: "Teams"
        case .pushSubscription: "the first SDKs"
        }
    }

    /// The kinds that the REST API accepts, and those of them that it lists.
    static let restRegistered: [Self] = [.apns, .fcm, .webPush, .pushSubscription]
    static let restListed: [Self] = [.webPush, .pushSubscription]
    /// The kinds that the user API accepts and lists.
    static let user: [Self] = [.apns, .fcm, .expo, .webPush, .slack, .teams]
}

/// How the two APIs store a token.
extension PushToken {
    /// The part that identifies the token in a list. A secret.
    var address: String {
        switch self {
        case .apns(let token, _, _), .fcm(let token), .expo(let token), .pushSubscription(let token, _, _): token
        case .webPush(let endpoint, _, _, _): endpoint
        case .slack(let channelID, let installationID, _): installationID + " " + channelID
        case .slackWebhook(let url), .teamsWebhook(let url): url
        }
    }

    /// Secrets to remove from messages.
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
        case .slack(let channelID, let installationID, let scope):
            var members: [String: JSONValue] = [
                "channel_id": .string(channelID), "installation_id": .string(installationID),
            ]
            if let scope { members["scope"] = .string(scope) }
            return ["oauth": .object(members)]
        case .slackWebhook(let url), .teamsWebhook(let url): return ["webhook": ["url": .string(url)]]
        }
    }

    /// The token in an object with its kind as the key: the body of the REST API.
    package var wrappedPayload: JSONValue {
        guard case .webPush(_, _, _, let expires) = self else { return [kind.rawValue: payload] }
        var members = payload.object ?? [:]
        members["expirationTime"] = expires.map { .integer($0) } ?? .null
        return [kind.rawValue: .object(members)]
    }

    /// Throws `invalidArgument` for an empty part.
    func validate() throws(MagicBellError) {
        switch self {
        case .apns(let token, _, _), .fcm(let token), .expo(let token):
            try ArgumentCheck.check(token, named: "device token")
        case .webPush(let endpoint, let p256dh, let auth, _):
            try ArgumentCheck.check(endpoint, named: "push subscription's endpoint")
            try ArgumentCheck.check(p256dh, named: "push subscription's key")
            try ArgumentCheck.check(auth, named: "push subscription's authentication secret")
        case .pushSubscription(let token, _, _):
            try ArgumentCheck.check(token, named: "device token")
            guard token.utf8.count <= Limits.id else {
                throw MagicBellError(.invalidArgument, "The device token is longer than \(Limits.id) characters.")
            }
        case .slack(let channelID, let installationID, _):
            try ArgumentCheck.check(channelID, named: "Slack channel's id")
            try ArgumentCheck.check(installationID, named: "Slack installation's id")
        case .slackWebhook(let url), .teamsWebhook(let url): try ArgumentCheck.check(url, named: "webhook's URL")
        }
    }
}

/// A list of tokens: `{"data":[…],"links":{…}}` from the user API, `{"push_subscriptions":[…]}` for these. The form of
/// the REST API's other lists is not documented: an array under any name, of tokens with or without a wrapper.
package struct PushTokenList: Sendable, Equatable, Decodable {
    package var tokens: [Entry]
    /// Whether there are further pages.
    package var hasMore: Bool

    /// A token as the service stores it.
    package struct Entry: Sendable, Equatable {
        package var id: String
        /// A secret.
        fileprivate var payload: JSONValue
        fileprivate var created: Timestamp?
        fileprivate var discarded: Timestamp?

        /// Whether the entry is this token, also with other details, and still in use.
        func names(_ token: PushToken) -> Bool { discarded == nil && address == token.address }

        /// Whether the entry is this token of the service's own socket, and still in use.
        func isInboxToken(_ token: String) -> Bool { discarded == nil && payload["token"]?.string == token }

        private var address: String? {
            if let oauth = payload["oauth"], let installation = oauth["installation_id"]?.string {
                return oauth["channel_id"]?.string.map { installation + " " + $0 }
            }
            return payload["device_token"]?.string ?? payload["endpoint"]?.string ?? payload["webhook"]?["url"]?.string
        }

        package func token(_ kind: PushToken.Kind) -> RegisteredToken {
            RegisteredToken(
                id: id,
                kind: kind,
                token: PushToken(kind, payload),
                created: created?.date,
                discarded: discarded?.date
            )
        }
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
        guard let id = value["id"]?.string ?? nested?["id"]?.string, Limits.isID(id) else { return nil }
        func time(_ name: String) -> Timestamp? { (value[name] ?? nested?[name]).flatMap(WireDate.timestamp) }
        // A time that cannot be read is still a time.
        let isDiscarded = value["discarded_at"].map { $0 != .null } ?? false
        self.init(
            id: id,
            payload: nested ?? value,
            created: time("created_at"),
            discarded: isDiscarded ? time("discarded_at") ?? 0 : nil
        )
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
