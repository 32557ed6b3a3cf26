/// Checks of arguments, before a request. Each throws `invalidArgument` with the argument's name.
package enum ArgumentChecks<Failure: LibraryError> {
    /// A text may not be empty.
    package static func check(_ value: String, named name: String) throws(Failure) {
        if value.isEmpty { throw invalid("The \(name) is empty.") }
    }

    /// A header contains the app's name and version.
    package static func check(_ app: AppInfo?) throws(Failure) {
        guard let app else { return }
        try check(app.name, named: "app's name")
        guard (app.name + (app.version ?? "")).utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) else {
            throw invalid("The app's name and version may contain printable ASCII characters only.")
        }
    }

    /// The base URL of the host `name`, without trailing slashes.
    package static func baseURL(_ url: String, of name: String, schemes: [String]) throws(Failure) -> String {
        do { return try BaseURL.normal(url, schemes: schemes) } catch {
            throw invalid(error.sentence(about: url, of: name))
        }
    }

    package static func invalid(_ sentence: String) -> Failure {
        Failure(kind: .invalidArgument, message: sentence)
    }
}
