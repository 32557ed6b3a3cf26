import ClientKit
import FoundationEssentials
import Logging

/// The contents of a store between two runs of a program: the newest notifications and the counts.
struct KeptStore: Codable, Equatable, Sendable {
    /// The maximum number of notifications: as many as one request returns.
    static let maximumNotifications = 100

    /// Whose store it is: project, user, predicate.
    var owner: [String]
    var notifications: [InboxNotification]
    var total: Int
    var unread: Int
    var unseen: Int

    init(_ contents: StoreContents, of owner: [String]) {
        self.owner = owner
        notifications = Array(contents.notifications.prefix(Self.maximumNotifications))
        (total, unread, unseen) = (contents.totalCount, contents.unreadCount, contents.unseenCount)
    }

    /// The contents of a store that has not been fetched yet.
    var contents: StoreContents {
        StoreContents(
            notifications: notifications,
            totalCount: max(total, notifications.count),
            unreadCount: max(0, unread),
            unseenCount: max(0, unseen)
        )
    }
}

/// The place of a ``KeptStore`` in an app's storage.
struct StorePlace: Sendable {
    let storage: any MagicBellStorage
    let owner: [String]
    let logger: Logger

    private var key: String { "store_" + ownerKey(owner) }

    /// Nil: there is none of this owner, or it cannot be read.
    func load() async -> KeptStore? {
        do {
            guard let text = try await storage.value(forKey: key) else { return nil }
            let kept = try JSONDecoder().decode(KeptStore.self, from: Data(text.utf8))
            return kept.owner == owner ? kept : nil
        } catch {
            logger.warning("the kept store is not readable", metadata: ["error": "\(error)"])
            return nil
        }
    }

    func save(_ contents: StoreContents) async {
        do {
            let data = try JSONEncoder().encode(KeptStore(contents, of: owner))
            try await storage.setValue(String(decoding: data, as: UTF8.self), forKey: key)
        } catch {
            logger.warning("the store is not kept", metadata: ["error": "\(error)"])
        }
    }

    func discard() async {
        do { try await storage.setValue(nil, forKey: key) } catch {
            logger.warning("the kept store is not removed", metadata: ["error": "\(error)"])
        }
    }
}
