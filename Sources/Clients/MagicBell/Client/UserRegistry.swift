/// The connected users, found by each of their identifiers.
///
/// The external id identifies a user; an e-mail address alone identifies the user who was connected with it alone, or
/// else the only one who has it.
struct UserRegistry<User: Sendable>: Sendable {
    struct Entry: Sendable {
        var identity: UserIdentity
        /// Whether the user has a user token, for the user API.
        var hasToken: Bool
        var user: User
    }

    private(set) var entries: [Entry] = []

    enum Match: Sendable {
        case none
        case one(Int)
        /// Several users have the e-mail address.
        case several
    }

    /// Finds the user with this identity, among those with or without a user token.
    func match(_ identity: UserIdentity, hasToken: Bool) -> Match {
        let candidates = entries.indices.filter { entries[$0].hasToken == hasToken }
        if let externalID = identity.externalID {
            return candidates.first { entries[$0].identity.externalID == externalID }.map(Match.one) ?? .none
        }
        let matches = candidates.filter { entries[$0].identity.email == identity.email }
        if let exact = matches.first(where: { entries[$0].identity.externalID == nil }) { return .one(exact) }
        return matches.count > 1 ? .several : matches.first.map(Match.one) ?? .none
    }

    /// The user at an index of ``match(_:hasToken:)``.
    subscript(index: Int) -> Entry { entries[index] }

    mutating func add(_ user: User, _ identity: UserIdentity, hasToken: Bool) {
        entries.append(Entry(identity: identity, hasToken: hasToken, user: user))
    }

    /// The user has this identity from now on.
    mutating func setIdentity(_ identity: UserIdentity, at index: Int) { entries[index].identity = identity }

    @discardableResult
    mutating func remove(at index: Int) -> User { entries.remove(at: index).user }

    mutating func removeAll() -> [User] {
        defer { entries = [] }
        return entries.map(\.user)
    }
}
