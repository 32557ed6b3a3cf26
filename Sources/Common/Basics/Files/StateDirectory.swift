/// Where Feedbell keeps its state.
package enum StateDirectory {
    /// `$XDG_STATE_HOME/feedbell`
    /// ([XDG Base Directory Specification](https://specifications.freedesktop.org/basedir-spec/latest/)).
    package static func path(environment: [String: String]) -> String {
        let base = environment["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        return (base ?? (environment["HOME"] ?? "") + "/.local/state") + "/feedbell"
    }
}
