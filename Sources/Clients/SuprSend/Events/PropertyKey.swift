/// Checks of names that the app chooses.
enum PropertyKey {
    /// Throws `invalidArgument` for an empty name, and for a reserved one, which the service would silently ignore.
    static func check(_ keys: some Sequence<String>, named name: String, allowing own: Set<String> = [])
        throws(SuprSendError)
    {
        for key in keys where !own.contains(key) {
            if key.isEmpty { throw SuprSendError(.invalidArgument, "The name of a \(name) is empty.") }
            let lowercased = key.lowercased()
            if lowercased.hasPrefix("$") || lowercased.hasPrefix("ss_") {
                throw SuprSendError(
                    .invalidArgument,
                    "The \(name) \"\(key)\" cannot be used: names that begin with \"$\" or \"ss_\" are reserved."
                )
            }
        }
    }
}
