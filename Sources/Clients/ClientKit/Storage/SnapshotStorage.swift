import FoundationEssentials
package import Logging

/// The contents of a list between two runs of a program.
package protocol SnapshotContents: Codable, Sendable {
    /// Whose list it is: the texts that distinguish it from all others.
    var owner: [String] { get }
}

/// The place of one list in an app's storage.
package struct SnapshotStorage<Contents: SnapshotContents>: Sendable {
    package let owner: [String]
    private let key: String
    private let storage: any TextStorage
    private let logger: Logger

    /// - Parameter prefix: Begins the key of the text.
    package init(in storage: any TextStorage, prefix: String, owner: [String], logger: Logger) {
        self.storage = storage
        self.owner = owner
        self.logger = logger
        key = prefix + ownerKey(owner)
    }

    /// Nil: there is none of this owner, or it cannot be read.
    @concurrent  // returns to the caller's executor: CallerExecutorTests
    package func load() async -> Contents? {
        guard let text = await storage.read(key, logger) else { return nil }
        do {
            let kept = try JSONDecoder().decode(Contents.self, from: Data(text.utf8))
            return kept.owner == owner ? kept : nil
        } catch {
            logger.warning("what was kept is not readable", metadata: ["key": "\(key)", "error": "\(error)"])
            return nil
        }
    }

    @concurrent  // returns to the caller's executor: CallerExecutorTests
    package func save(_ contents: Contents) async {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        guard let data = try? encoder.encode(contents) else { return }
        await storage.write(String(decoding: data, as: UTF8.self), key, logger)
    }

    @concurrent  // returns to the caller's executor: CallerExecutorTests
    package func discard() async { await storage.write(nil, key, logger) }
}
