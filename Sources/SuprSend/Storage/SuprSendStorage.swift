import Logging

/// Keeps a few small texts by name for longer than the process lives. The app supplies it: ``FileStorage``, or its own database.
///
/// A failure is logged by the library and costs no more than what the text was for.
public protocol SuprSendStorage: Sendable {
    /// The text kept under `key`; nil: none.
    func value(forKey key: String) async throws -> String?

    /// Keeps `value` under `key` in place of what was there; nil: keeps nothing. Returns when it is safe.
    func setValue(_ value: String?, forKey key: String) async throws
}

extension SuprSendStorage {
    func read(_ key: String, _ logger: Logger) async -> String? {
        do { return try await value(forKey: key) } catch {
            logger.warning("storage not read", metadata: ["key": "\(key)", "error": "\(error)"])
            return nil
        }
    }

    func write(_ value: String?, _ key: String, _ logger: Logger) async {
        do { try await setValue(value, forKey: key) } catch {
            logger.warning("storage not written", metadata: ["key": "\(key)", "error": "\(error)"])
        }
    }
}

/// Keeps texts for as long as the process lives.
public actor MemoryStorage: SuprSendStorage {
    private var values: [String: String] = [:]

    /// An empty storage.
    public init() {}

    /// The text kept under `key`; nil: none.
    public func value(forKey key: String) -> String? { values[key] }

    /// Keeps `value` under `key`; nil: keeps nothing.
    public func setValue(_ value: String?, forKey key: String) { values[key] = value }
}
