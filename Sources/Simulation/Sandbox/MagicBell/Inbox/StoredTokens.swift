/// The push and inbox tokens that a user's clients have registered.
package struct StoredTokens: Sendable, Equatable {
    package enum Kind: String, Sendable, CaseIterable {
        case apns, fcm, expo, webPush = "web_push", inbox, slack, teams
        /// The resource of the first SDKs, `/push_subscriptions`.
        case pushSubscription = "push_subscription"

        /// The members that identify the device or chat; registering it again replaces the token.
        var identity: [String] {
            switch self {
            case .apns, .fcm, .expo, .pushSubscription: ["device_token"]
            case .webPush: ["endpoint"]
            case .inbox: ["token"]
            case .slack, .teams: ["webhook", "oauth"]
            }
        }
    }

    package struct Token: Sendable, Equatable {
        package var id: String
        package var kind: Kind
        package var payload: [String: JSON]
        /// Milliseconds since the Unix epoch, like all times here.
        package var createdAt: Int64
        package var updatedAt: Int64?
        package var discardedAt: Int64?

        /// The object of a list of the user API (v2).
        var json: JSON {
            func date(_ time: Int64?) -> JSON { time.map { .string(ISODate.text($0)) } ?? .null }
            return .object(
                payload.merging([
                    "id": .string(id), "created_at": date(createdAt), "updated_at": date(updatedAt),
                    "discarded_at": date(discardedAt),
                ]) { $1 }
            )
        }
    }

    /// Oldest first, also discarded ones.
    package private(set) var all: [Token] = []
    private var lastID = 0

    package init() {}

    /// Registered tokens of one kind, oldest first.
    package func registered(_ kind: Kind) -> [Token] { all.filter { $0.kind == kind && $0.discardedAt == nil } }

    /// Registers a token, or revives the one of the same device.
    @discardableResult
    mutating func register(_ payload: [String: JSON], as kind: Kind, now: Int64) -> Token {
        let isSame = { (token: Token) in
            token.kind == kind && kind.identity.allSatisfy { token.payload[$0] == payload[$0] }
        }
        if let index = all.firstIndex(where: isSame) {
            all[index].payload = payload
            all[index].updatedAt = now
            all[index].discardedAt = nil
            return all[index]
        }
        lastID += 1
        let token = Token(id: "tok_\(lastID)", kind: kind, payload: payload, createdAt: now)
        all.append(token)
        return token
    }

    /// Discards the tokens that match; the first of them, nil when none does.
    @discardableResult
    mutating func discard(_ kind: Kind, now: Int64, where matches: (Token) -> Bool) -> Token? {
        let indices = all.indices.filter { all[$0].kind == kind && all[$0].discardedAt == nil && matches(all[$0]) }
        for index in indices { all[index].discardedAt = now }
        return indices.first.map { all[$0] }
    }
}
