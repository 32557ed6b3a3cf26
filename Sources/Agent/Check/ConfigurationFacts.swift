package import AgentInterface
import Glibc
package import ServiceKit

/// What was found where the configuration should be.
package struct ConfigurationFacts: Equatable, Sendable {
    package var path: String
    package var exists: Bool
    /// The permission bits of the file; nil when it is not there.
    package var mode: UInt32?
    package var content: Result<Configuration, ConfigurationError>

    package init(path: String, exists: Bool, mode: UInt32?, content: Result<Configuration, ConfigurationError>) {
        self.path = path
        self.exists = exists
        self.mode = mode
        self.content = content
    }

    /// Reads the file.
    package init(_ file: ConfigurationFile) {
        var status = stat()
        exists = stat(file.path, &status) == 0
        mode = exists ? status.st_mode & 0o777 : nil
        path = file.path
        do throws(ConfigurationError) { content = .success(try file.read()) } catch { content = .failure(error) }
    }

    package var findings: [Finding] {
        switch content {
        case .failure(let error):
            let remedy =
                exists
                ? "Correct it and look again. A running agent keeps what it read before; tell it to read again with: feedbell reload"
                : "Give the name of a file that is there, or none for the usual one."
            return [Finding(.configuration, .problem, "\(error)", remedy: remedy)] + permissions(nil)
        case .success(let configuration) where configuration.accounts.isEmpty:
            let sentence = exists ? "\(path) configures no account." : "There is no configuration at \(path)."
            let remedy = "Add an account with: feedbell accounts add"
            return [Finding(.configuration, .problem, sentence, remedy: remedy)] + permissions(configuration)
        case .success(let configuration):
            let names = configuration.accounts.map(\.name).joined(separator: ", ")
            let count = configuration.accounts.count == 1 ? "account" : "accounts"
            let sentence = "\(path) is well-formed and configures the \(count) \(names)."
            return [Finding(.configuration, .ok, sentence)] + permissions(configuration)
        }
    }

    private func permissions(_ configuration: Configuration?) -> [Finding] {
        guard let mode else { return [] }
        if mode & 0o044 != 0, configuration?.holdsSecrets == true {
            let sentence = "Others may read \(path), in which a token stands."
            return [
                Finding(
                    .configuration,
                    .warning,
                    sentence,
                    remedy: "Keep it for yourself: chmod 600 \(path.shellQuoted)"
                )
            ]
        }
        return []
    }
}

extension Configuration {
    /// Whether a secret stands in it.
    fileprivate var holdsSecrets: Bool { accounts.contains { $0.service.holdsSecrets } }
}
