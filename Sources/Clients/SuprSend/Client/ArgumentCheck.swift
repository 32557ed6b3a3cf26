/// Checks of arguments, before a request.
enum ArgumentCheck {
    /// Throws `invalidArgument` with `name` when the value is empty.
    static func check(_ value: String, named name: String) throws(SuprSendError) {
        if value.isEmpty { throw SuprSendError(.invalidArgument, "The \(name) is empty.") }
    }
}
