package import ServiceKit

/// The configuration on disk.
package struct ConfigurationFile: Sendable {
    /// The maximum size in bytes; larger files are rejected.
    static let limit = 1 << 20

    package var path: String
    /// Whether the user named the file. Only the default file may be missing.
    package var isExplicit: Bool
    /// The supported services.
    package var services: ServiceList

    /// A file that the user named.
    package init(path: String, services: ServiceList) {
        self.path = path
        self.services = services
        isExplicit = true
    }

    /// The default file: `$XDG_CONFIG_HOME/feedbell/config.toml`.
    package init(environment: [String: String], services: ServiceList) {
        self.services = services
        let base = environment["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        path = (base ?? (environment["HOME"] ?? "") + "/.config") + "/feedbell/config.toml"
        isExplicit = false
    }

    /// Reads the file. A missing default file is an empty configuration.
    ///
    /// - Parameter clock: Of the time that the file system has.
    package func read(clock: any Clock<Duration> = ContinuousClock()) async throws(ConfigurationError) -> Configuration
    {
        if let text = try await text(clock: clock) {
            return try Configuration(toml: text, file: path, services: services)
        }
        guard isExplicit else { return Configuration() }
        throw unreadable
    }

    /// Reads the file after it has changed. A removed or empty file is an error: it may be on its way to another place,
    /// or about to be written.
    ///
    /// - Parameter current: The configuration that is in use.
    func readChanged(
        from current: Configuration,
        clock: any Clock<Duration>
    ) async throws(ConfigurationError) -> Configuration {
        let text = try await text(clock: clock)
        let isEmpty = text?.allSatisfy(\.isWhitespace) ?? false
        if let text, !isEmpty { return try Configuration(toml: text, file: path, services: services) }
        guard current != Configuration() || isExplicit && !isEmpty else { return current }
        throw ConfigurationError(
            file: path,
            problem: isEmpty
                ? "The file is empty. Restore it, or apply the configuration without accounts with: feedbell reload"
                : "The file was removed. Restore it, or apply the configuration without it with: feedbell reload"
        )
    }

    /// The content of the file; nil: it does not exist.
    func text(clock: any Clock<Duration> = ContinuousClock()) async throws(ConfigurationError) -> String? {
        do throws(GuardedFile.Failure) {
            return try await GuardedFile(path: path, limit: Self.limit, isSecret: false).contents(clock: clock)
        } catch {
            switch error {
            case .missing: return nil
            case .unreadable: throw unreadable
            case .noText:
                let problem = "The file is too large or not UTF-8. It must be TOML of at most 1 MiB."
                throw ConfigurationError(file: path, problem: problem)
            case .irregular:
                let problem = "It is no regular file, but a directory, a pipe or a device. Name another file."
                throw ConfigurationError(file: path, problem: problem)
            case .unresponsive:
                let problem = "Its file system does not answer. Check its mount and the network."
                var error = ConfigurationError(file: path, problem: problem)
                error.isTemporary = true
                throw error
            case .refused(let reason):
                let problem = "The file is rejected, because it can run programs as you. \(reason)"
                throw ConfigurationError(file: path, problem: problem)
            }
        }
    }

    private var unreadable: ConfigurationError {
        ConfigurationError(file: path, problem: "Cannot read the file. Check that it exists and is readable.")
    }
}
