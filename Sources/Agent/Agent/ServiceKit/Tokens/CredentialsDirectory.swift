import FoundationEssentials

/// The directory of the credentials that systemd passes to the agent's unit: a file for each `LoadCredential=` and
/// `SetCredential=` (systemd.exec(5), "Credentials").
package struct CredentialsDirectory: Equatable, Sendable {
    /// nil: systemd passed no credentials.
    package var path: String?

    package init(path: String?) { self.path = path }

    /// This process's own directory, otherwise that of the agent's unit, for checks beside the agent.
    ///
    /// - Parameter exists: Whether there is a file or directory at a path.
    package init(environment: [String: String], exists: (String) -> Bool) {
        if let own = environment["CREDENTIALS_DIRECTORY"], own.hasPrefix("/") {
            path = own
        } else if let runtime = environment["XDG_RUNTIME_DIR"], runtime.hasPrefix("/") {
            let unit = runtime + "/credentials/feedbell.service"
            path = exists(unit) ? unit : nil
        }
    }

    /// The present directory: the agent's unit may have started after this process.
    package static var current: CredentialsDirectory {
        CredentialsDirectory(
            environment: ProcessInfo.processInfo.environment,
            exists: FileManager.default.fileExists(atPath:)
        )
    }

    /// Whether a text can be the name of a credential: a file name of visible ASCII characters without a colon.
    static func isName(_ text: String) -> Bool {
        (1...255).contains(text.utf8.count) && text != "." && text != ".."
            && text.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: ":") }
    }
}
