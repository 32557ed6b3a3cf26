package import ServiceKit

/// The configuration on disk.
package struct ConfigurationFile: Sendable {
    /// Larger files are refused.
    static let limit = 1 << 20

    package var path: String
    /// Whether the person named the file. If not, it need not exist.
    package var isExplicit: Bool
    /// The services that accounts can be of.
    package var services: ServiceList

    /// The file a person named.
    package init(path: String, services: ServiceList) {
        self.path = path
        self.services = services
        isExplicit = true
    }

    /// The usual place: `$XDG_CONFIG_HOME/feedbell/config.toml`.
    package init(environment: [String: String], services: ServiceList) {
        self.services = services
        let base = environment["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        path = (base ?? (environment["HOME"] ?? "") + "/.config") + "/feedbell/config.toml"
        isExplicit = false
    }

    /// Reads the file. One at the usual place that does not exist is an empty configuration.
    package func read() throws(ConfigurationError) -> Configuration {
        if let text = try text() { return try Configuration(toml: text, file: path, services: services) }
        guard isExplicit else { return Configuration() }
        throw unreadable
    }

    /// What the file holds; nil: there is no such file.
    func text() throws(ConfigurationError) -> String? {
        do throws(GuardedFile.Failure) {
            return try GuardedFile(path: path, limit: Self.limit, isSecret: false).read()
        } catch {
            switch error {
            case .missing: return nil
            case .unreadable: throw unreadable
            case .noText:
                let problem = "This file is no configuration: it is too large or not UTF-8."
                throw ConfigurationError(file: path, problem: problem)
            case .refused(let reason):
                let problem = "This file names programs that are run in your name, and is not used. \(reason)"
                throw ConfigurationError(file: path, problem: problem)
            }
        }
    }

    private var unreadable: ConfigurationError {
        ConfigurationError(file: path, problem: "This file cannot be read. Does it exist, and may you read it?")
    }
}
