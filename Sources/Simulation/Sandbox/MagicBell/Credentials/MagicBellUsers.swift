/// A user of the project, known by an external id, an e-mail address or both.
package struct SimulatedUser: Sendable, Equatable {
    /// The project's own id, `user-1`, `user-2`, ….
    package var id: String
    package var externalID: String?
    package var email: String?

    /// The name that a command or a log line uses.
    package var name: String { externalID ?? email ?? id }
}

/// The users of the project. The external id takes precedence over the e-mail address: one address under two external
/// ids means two users (MagicBell's documentation, "Users").
package struct MagicBellUsers: Sendable, Equatable {
    package private(set) var all: [SimulatedUser] = []

    package subscript(id: String) -> SimulatedUser? { all.first { $0.id == id } }

    /// The user with this external id or, if no such user exists, with this e-mail address.
    package func named(_ name: String) -> SimulatedUser? {
        all.first { $0.externalID == name } ?? all.first { $0.email == name }
    }

    /// The user that a request identifies, created by its first request.
    mutating func identified(externalID: String?, email: String?) -> SimulatedUser {
        let index = all.firstIndex { user in
            if let externalID { return user.externalID == externalID }
            return user.email == email
        }
        if let index {
            if let email { all[index].email = email }
            return all[index]
        }
        let user = SimulatedUser(id: "user-\(all.count + 1)", externalID: externalID, email: email)
        all.append(user)
        return user
    }

    /// Adds a user by name: an e-mail address has an "@".
    mutating func add(_ name: String) {
        _ = name.contains("@") ? identified(externalID: nil, email: name) : identified(externalID: name, email: nil)
    }
}
