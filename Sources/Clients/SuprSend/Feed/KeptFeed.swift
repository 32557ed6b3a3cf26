import ClientKit
import FoundationEssentials
import Logging

/// The contents of a feed between two runs of a program: the newest rows and the counts.
struct KeptFeed: Codable, Equatable, Sendable {
    /// The maximum number of rows: as many as one request returns.
    static let maximumRows = Limits.rows

    /// Whose inbox it is: public key, user, tenant.
    var owner: [String]
    /// The id of the rows' store.
    var store: String
    var rows: [FeedNotification]
    /// The number of rows in the store, kept or not.
    var total: Int
    var badge: Int
    /// The counts of the stores, by id.
    var counts: [String: Int]
    /// Everything up to this time was announced, in milliseconds since the Unix epoch; nil: unknown.
    var caughtUp: Int64?
}

/// The place of a ``KeptFeed`` in an app's storage.
struct FeedStorage: Sendable {
    let storage: any SuprSendStorage
    let owner: [String]
    let logger: Logger

    private var key: String { "ss_feed_" + ownerKey(owner) }

    /// Nil: there is none of this owner, or it cannot be read.
    func load() async -> KeptFeed? {
        guard let text = await storage.read(key, logger) else { return nil }
        do {
            let kept = try JSONDecoder().decode(KeptFeed.self, from: Data(text.utf8))
            return kept.owner == owner ? kept : nil
        } catch {
            logger.warning("the kept feed is not readable", metadata: ["error": "\(error)"])
            return nil
        }
    }

    func save(_ kept: KeptFeed) async {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        guard let data = try? encoder.encode(kept) else { return }
        await storage.write(String(decoding: data, as: UTF8.self), key, logger)
    }

    func discard() async { await storage.write(nil, key, logger) }
}
