package import Logging

/// Persistent storage for a few small texts, which an app provides.
public protocol TextStorage: Sendable {
    /// The text for `key`; nil: none.
    func value(forKey key: String) async throws -> String?

    /// Stores `value` for `key`, replacing the old text; nil: removes it. Returns when the change is durable.
    func setValue(_ value: String?, forKey key: String) async throws
}

extension TextStorage {
    /// The text for `key`; nil: none, or a failure, which is logged.
    @concurrent  // returns to the caller's executor: CallerExecutorTests
    package func read(_ key: String, _ logger: Logger) async -> String? {
        do { return try await value(forKey: key) } catch {
            logger.warning("storage not read", metadata: ["key": "\(key)", "error": "\(error)"])
            return nil
        }
    }

    /// Stores `value` for `key`; logs a failure.
    @concurrent  // returns to the caller's executor: CallerExecutorTests
    package func write(_ value: String?, _ key: String, _ logger: Logger) async {
        do { try await setValue(value, forKey: key) } catch {
            logger.warning("storage not written", metadata: ["key": "\(key)", "error": "\(error)"])
        }
    }
}

/// Keeps texts in memory, until the process ends.
public actor MemoryStorage: TextStorage {
    private var values: [String: String] = [:]

    /// Creates an empty storage.
    public init() {}

    /// The text for `key`; nil: none.
    public func value(forKey key: String) -> String? { values[key] }

    /// Stores `value` for `key`; nil: removes it.
    public func setValue(_ value: String?, forKey key: String) { values[key] = value }
}
