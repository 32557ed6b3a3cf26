import Glibc
import Synchronization

/// The group that belongs to one user alone, as distributions make one for each new user.
enum UserGroup {
    /// A group of the user database (group(5)).
    struct Group: Equatable, Sendable {
        var id: UInt32
        var name: String
        /// The names of its members.
        var members: [String]
    }

    /// A user of the user database (passwd(5)).
    struct User: Equatable, Sendable {
        var name: String
        /// The id of the primary group.
        var group: UInt32
    }

    /// The maximum number of users that are looked through; with more, no group counts as private.
    static let limit = 20_000

    /// Whether a group has a user's name and no other member.
    ///
    /// - Parameter users: All users.
    static func isPrivate(_ group: Group, to user: String, among users: [User]) -> Bool {
        group.name == user && group.members.allSatisfy { $0 == user }
            && users.allSatisfy { $0.group != group.id || $0.name == user }
    }

    /// Whether a group is the private one of the user who runs this process. Blocks: the database may be a directory
    /// service.
    static func isPrivate(_ id: UInt32) -> Bool {
        // The functions are not thread-safe.
        database.withLock { _ in
            guard let entry = getpwuid(geteuid()) else { return false }
            let user = String(cString: entry.pointee.pw_name)
            guard let group = group(id), isPrivate(group, to: user, among: []), let users else { return false }
            return isPrivate(group, to: user, among: users)
        }
    }

    private static let database = Mutex(())

    private static func group(_ id: UInt32) -> Group? {
        guard let entry = getgrgid(id)?.pointee else { return nil }
        var members: [String] = []
        var next = entry.gr_mem
        while let member = next?.pointee {
            members.append(String(cString: member))
            next = next?.advanced(by: 1)
        }
        return Group(id: id, name: String(cString: entry.gr_name), members: members)
    }

    /// nil: there are too many.
    private static var users: [User]? {
        var users: [User] = []
        setpwent()
        defer { endpwent() }
        while let entry = getpwent()?.pointee {
            guard users.count < limit else { return nil }
            users.append(User(name: String(cString: entry.pw_name), group: entry.pw_gid))
        }
        return users
    }
}
