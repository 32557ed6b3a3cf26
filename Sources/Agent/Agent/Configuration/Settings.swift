package import AgentInterface
package import ServiceKit
import Translation

/// Why a setting was not changed, with the exit code.
package enum SettingsFailure: Error, Equatable, Sendable, CustomStringConvertible {
    /// There is no such setting, or the value is invalid.
    case invalid(String)
    /// A preset locks the key, or the user's own file sets it.
    case fixed(String)
    case configuration(ConfigurationError)
    case unwritable(String)

    package var description: String {
        switch self {
        case .invalid(let sentence), .fixed(let sentence), .unwritable(let sentence): sentence
        case .configuration(let error): error.description
        }
    }

    /// 64 an invalid name or value (`EX_USAGE`), 73 cannot write the file (`EX_CANTCREAT`), 77 the key cannot be
    /// changed (`EX_NOPERM`), 78 the configuration is invalid (`EX_CONFIG`).
    package var exitCode: Int32 {
        switch self {
        case .invalid: 64
        case .unwritable: 73
        case .fixed: 77
        case .configuration: 78
        }
    }
}

/// The settings of the configuration, and the file that programs change.
package struct Settings: Sendable {
    /// The first lines of the file.
    private static let comment = """
        # Written by "feedbell settings", which does not keep your comments. What your config.toml sets has priority.


        """

    private let file: ConfigurationFile

    package init(_ file: ConfigurationFile) { self.file = file }

    /// Every setting with its value and where that comes from.
    package func list() async throws(SettingsFailure) -> [SettingDetails] {
        let layers: ConfigurationLayers
        do throws(ConfigurationError) {
            let present = try await file.presentFiles()
            layers = try await file.usable(present.files, without: present.unused).layers
        } catch {
            throw .configuration(error)
        }
        return Setting.all.map { setting in
            let node = layers.node(setting.key)
            return SettingDetails(
                key: setting.key.description,
                value: node?.toml ?? setting.standard,
                standard: setting.standard,
                file: node?.file,
                line: node?.line,
                lockedBy: layers.lock(of: setting.key)?.preset,
                isFixed: fixed(setting, layers) != nil,
                meaning: setting.meaning,
                choices: setting.choices.isEmpty ? nil : setting.choices
            )
        }
    }

    /// Sets keys to the values that texts on the command line mean, all or none; nil: removes the key, or all keys of
    /// the table with this name.
    package func change(_ changes: [(name: String, text: String?)]) async throws(SettingsFailure) {
        do {
            let target = PrivateFile(file.settingsPath)
            try target.makeDirectory()
            try await target.locked {
                let text = try await self.text(after: changes)
                try target.replace(with: text)
            }
        } catch let failure as SettingsFailure {
            throw failure
        } catch let failure as PrivateFile.Failure {
            throw .unwritable(failure.description)
        } catch {
            throw .unwritable("\(error)")
        }
    }

    /// The text of the file after changes, if they are valid.
    private func text(after changes: [(name: String, text: String?)]) async throws(SettingsFailure) -> String {
        var files: [ConfigurationLayers.File]
        let layers: ConfigurationLayers
        var root: TOMLNode
        do throws(ConfigurationError) {
            files = try await file.presentFiles(mayBeMissing: true).files
            layers = try await file.usable(files).layers
            let present = files.first { $0.kind == .settings }
            root = try TOMLNode.parse(present?.text ?? "", file: file.settingsPath)
        } catch {
            throw .configuration(error)
        }
        for (name, text) in changes {
            guard let text else {
                root = try reset(try Setting.group(name), in: root, layers)
                continue
            }
            let setting = try Setting.named(name)
            if let sentence = fixed(setting, layers) { throw .fixed(sentence) }
            root = root.replacing(setting.key.names[...], with: try setting.node(text))
        }
        let document = root.document
        let text = document.isEmpty ? "" : Self.comment + document
        let new = ConfigurationLayers.File(.settings, path: file.settingsPath, text: text)
        files.removeAll { $0.kind == .settings }
        files.insert(new, at: files.firstIndex { $0.kind == .personal } ?? files.endIndex)
        do throws(ConfigurationError) {
            _ = try await file.usable(files)
        } catch {
            guard error.file == file.settingsPath else { throw .configuration(error) }
            throw .invalid(translatedParagraph([error.problem, Self.advice(after: changes)]))
        }
        return text
    }

    /// The file without these settings, of which some may not be in it.
    ///
    /// - Throws: A sentence, if none is in it, but another file sets one.
    private func reset(
        _ settings: [Setting],
        in root: TOMLNode,
        _ layers: ConfigurationLayers
    ) throws(SettingsFailure) -> TOMLNode {
        let new = settings.reduce(root) { $0.replacing($1.key.names[...], with: nil) }
        let kept = settings.first { layers.node($0.key) != nil && fixed($0, layers) != nil }
        if new == root, let kept, let sentence = fixed(kept, layers) { throw .fixed(sentence) }
        return new
    }

    /// Advice after a change that is invalid without another key of its table; nil: there is none.
    private static func advice(after changes: [(name: String, text: String?)]) -> String? {
        guard let key = changes.first(where: { $0.text == nil })?.name, let end = key.firstIndex(of: ".") else {
            return nil
        }
        return translated("To reset the whole table: {command}", ["command": "feedbell settings reset \(key[..<end])"])
    }

    /// Why a change of a key has no effect, in a sentence; nil: it has one.
    private func fixed(_ setting: Setting, _ layers: ConfigurationLayers) -> String? {
        if let lock = layers.lock(of: setting.key) {
            return translated(
                "{file} locks \"{key}\", so it cannot be changed.",
                ["file": lock.preset, "key": "\(setting.key)"]
            )
        }
        guard let node = layers.node(setting.key), node.file == file.path else { return nil }
        return translated(
            "Line {line} of {file} sets \"{key}\", and has priority. Change it there.",
            ["line": "\(node.line)", "file": node.file, "key": "\(setting.key)"]
        )
    }
}

extension TOMLNode {
    /// The table with another value of a key below it, without tables that become empty.
    ///
    /// - Parameter node: nil: without the key.
    fileprivate func replacing(_ names: ArraySlice<String>, with node: TOMLNode?) -> TOMLNode {
        guard let name = names.first else { return self }
        var entries = entries ?? [:]
        // A new key is the last one.
        let place = entries[name] ?? TOMLNode(.table([:]), file: file, line: .max)
        var new = names.count == 1 ? node : place.replacing(names.dropFirst(), with: node)
        new?.line = place.line
        entries[name] = new?.entries?.isEmpty == true ? nil : new
        return TOMLNode(.table(entries), file: file, line: line)
    }
}
