/// Checks of what a caller gives, before anything is sent.
enum Argument {
    /// Throws `invalidArgument`, calling the value `name`, when it is empty.
    static func check(_ value: String, named name: String) throws(SuprSendError) {
        if value.isEmpty { throw SuprSendError(.invalidArgument, "The \(name) is empty.") }
    }
}
