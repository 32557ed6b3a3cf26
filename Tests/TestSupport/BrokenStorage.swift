import ClientKit

/// A storage that fails, or returns a fixed text, and stores nothing.
package actor BrokenStorage: TextStorage {
    private struct Failure: Error {}

    private let text: String?
    /// What was done with texts, in order.
    package private(set) var texts: [String] = []

    package init(text: String? = nil) { self.text = text }

    package func value(forKey key: String) throws -> String? {
        texts.append("read")
        guard let text else { throw Failure() }
        return text
    }

    package func setValue(_ value: String?, forKey key: String) throws {
        texts.append("written")
        throw Failure()
    }
}
