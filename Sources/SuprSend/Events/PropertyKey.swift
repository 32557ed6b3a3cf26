/// The rules for names that an app chooses (suprsend.md §2.3).
enum PropertyKey {
    /// Throws `invalidArgument` for an empty name, and for one that the service keeps for itself: it would drop it without a word.
    static func check(_ keys: some Sequence<String>, named name: String, allowing own: Set<String> = [])
        throws(SuprSendError)
    {
        for key in keys where !own.contains(key) {
            if key.isEmpty { throw SuprSendError(.invalidArgument, "The name of a \(name) is empty.") }
            let lowercased = key.lowercased()
            if lowercased.hasPrefix("$") || lowercased.hasPrefix("ss_") {
                throw SuprSendError(
                    .invalidArgument,
                    "The \(name) \"\(key)\" cannot be used: names beginning with \"$\" or \"ss_\" are the service's own."
                )
            }
        }
    }
}
