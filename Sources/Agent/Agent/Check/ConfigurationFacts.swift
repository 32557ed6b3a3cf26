package import AgentInterface
import Basics
import Glibc
import VisibleText

/// The configuration file's state and content.
package struct ConfigurationFacts: Equatable, Sendable {
    package var path: String
    package var exists: Bool
    /// The permission bits of the file; nil: it does not exist.
    package var mode: UInt32?
    package var content: Result<Configuration, ConfigurationError>
    /// Whether the file with the mistake is there, and the user may not change it.
    package var isOfOthers = false
    /// The keys that presets lock.
    package var locks: [ConfigurationLayers.Lock] = []
    /// The values that locks make ineffective.
    package var ignored: [ConfigurationLayers.IgnoredValue] = []
    /// The rules by their files.
    package var ruleLists: [RuleList] = []

    package init(path: String, exists: Bool, mode: UInt32?, content: Result<Configuration, ConfigurationError>) {
        self.path = path
        self.exists = exists
        self.mode = mode
        self.content = content
    }

    /// Reads the file.
    package init(_ file: ConfigurationFile) async {
        path = file.path
        do throws(ConfigurationError) {
            content = .success(try await file.read())
            let present = try await file.presentFiles()
            let layers = try await file.usable(present.files, without: present.unused).layers
            (locks, ignored, ruleLists) = (layers.locks, layers.ignored, layers.ruleLists)
        } catch {
            content = .failure(error)
            isOfOthers = access(error.file, F_OK) == 0 && access(error.file, W_OK) != 0
            // Looking for the file would wait, too.
            guard !error.isTemporary else {
                (exists, mode) = (true, nil)
                return
            }
        }
        var status = stat()
        exists = stat(file.path, &status) == 0
        mode = exists ? status.st_mode & 0o777 : nil
    }

    package var findings: [Finding] {
        let correction = translated(
            "Correct the file, and check it again with \"feedbell doctor\". The agent reads it when it is saved."
        )
        let unused = (try? content.get().unused) ?? []
        return contentFindings(correction)
            + unused.map { Finding(.configuration, .problem, "\($0.error)", remedy: correction) }
    }

    private func contentFindings(_ correction: String) -> [Finding] {
        switch content {
        case .failure(let error):
            let remedy =
                if isOfOthers {
                    translated("Tell your administrator.")
                } else if exists {
                    correction
                } else {
                    translated("Name an existing file, or omit the name to use the default one.")
                }
            return [Finding(.configuration, .problem, "\(error)", remedy: remedy)] + permissions(nil)
        case .success(let configuration) where configuration.accounts.isEmpty && !configuration.unused.isEmpty:
            return permissions(configuration)
        case .success(let configuration) where configuration.accounts.isEmpty:
            let sentence =
                exists
                ? translated("{file} configures no account.", ["file": path])
                : translated("There is no configuration at {file}.", ["file": path])
            let remedy = translated("Add an account with: feedbell accounts add")
            return [Finding(.configuration, .problem, sentence, remedy: remedy)] + permissions(configuration)
        case .success(let configuration):
            let names = configuration.accounts.map(\.name).joined(separator: ", ")
            let files = configuration.paths.isEmpty ? path : configuration.paths.joined(separator: ", ")
            let sentence = translated(
                "{file} is valid and configures the account {names}.",
                plural: "{file} is valid and configures the accounts {names}.",
                count: configuration.accounts.count,
                ["file": files, "names": names]
            )
            return [Finding(.configuration, .ok, sentence)] + lockFindings + permissions(configuration)
        }
    }

    /// The keys that presets lock, and the values of them that are not used.
    private var lockFindings: [Finding] {
        Dictionary(grouping: locks, by: \.preset).sorted { $0.key < $1.key }.map { preset, locks in
            let keys = locks.map(\.key.description).joined(separator: ", ")
            let sentence = translated("{file} locks these keys: {keys}.", ["file": preset, "keys": keys])
            return Finding(.configuration, .ok, sentence)
        }
            + ignored.map { value in
                let sentence = translated(
                    "{file}:{line}: \"{key}\" is not used, because {preset} locks it.",
                    [
                        "file": value.file, "line": "\(value.line)", "key": value.key.description,
                        "preset": value.preset,
                    ]
                )
                return Finding(.configuration, .warning, sentence, remedy: translated("Remove it from the file."))
            }
    }

    private func permissions(_ configuration: Configuration?) -> [Finding] {
        guard let mode else { return [] }
        if mode & 0o044 != 0, configuration?.holdsSecrets == true {
            let sentence = translated("Other users can read {file}, which contains a token.", ["file": path])
            return [
                Finding(
                    .configuration,
                    .warning,
                    sentence,
                    remedy: translated(
                        "Restrict access: {command}",
                        ["command": "chmod 600 \(path.shellQuoted)"]
                    )
                )
            ]
        }
        return []
    }
}

extension Configuration {
    fileprivate var holdsSecrets: Bool { accounts.contains { $0.service.holdsSecrets } }
}
