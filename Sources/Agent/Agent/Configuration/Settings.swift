package import AgentInterface
import Basics
import DBus
import VisibleText

/// The settings of the configuration, and the file that programs change.
package struct Settings: Sendable {
    /// The first lines of the file.
    private static let comment = """
        # Written by Feedbell, which does not keep your comments. What your config.toml sets has priority.


        """

    /// The maximum size of the file that is written, in bytes: much less than what is read.
    private static let limit = 65_536

    private let file: ConfigurationFile
    private let clock: any Clock<Duration>

    /// - Parameter clock: Of the time that the file system has.
    package init(_ file: ConfigurationFile, clock: any Clock<Duration> = ContinuousClock()) {
        self.file = file
        self.clock = clock
    }

    /// Every setting with its value and where that comes from.
    package func list() async throws(AgentRequest.Failure) -> [SettingDetails] {
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
                choices: setting.choices
            )
        }
    }

    /// Makes all changes or none. A file that is too large or not TOML is renamed if keys are removed only.
    ///
    /// - Returns: Why the file was renamed, in sentences; nil: it was not.
    package func change(_ changes: [SettingChange]) async throws(AgentRequest.Failure) -> String? {
        var renamed: ConfigurationError?
        if changes.allSatisfy({ $0.value == nil }) {
            for change in changes { _ = try Setting.group(change.name) }
            renamed = await file.setAsideSettings(clock: clock)
        }
        try await edit(advice: Self.advice(after: changes)) { (root, layers) throws(AgentRequest.Failure) in
            for change in changes {
                guard let value = change.value else {
                    root = try self.reset(try Setting.group(change.name), in: root, layers)
                    continue
                }
                let setting = try Setting.named(change.name)
                if let sentence = self.fixed(setting, layers) { throw AgentRequest.Failure(.refused, sentence) }
                root = root.replacing(setting.key.names[...], with: try setting.node(value))
            }
        }
        return renamed?.description
    }

    /// Changes the file if the result is valid.
    ///
    /// - Parameter advice: What to do if it is not; nil: there is none.
    func edit(
        advice: String? = nil,
        _ body: (inout TOMLNode, ConfigurationLayers) throws(AgentRequest.Failure) -> Void
    ) async throws(AgentRequest.Failure) {
        do {
            let path = file.settingsPath
            let target = try await blocking { () throws(PrivateFile.Failure) in
                let target = PrivateFile(path)
                try target.makeDirectory()
                return target
            }
            try await target.locked(clock: clock) {
                let text = try await self.text(advice, after: body)
                try await self.blocking { () throws(PrivateFile.Failure) in try target.replace(with: text) }
            }
        } catch let failure as AgentRequest.Failure {
            throw failure
        } catch let failure as PrivateFile.Failure {
            throw .unwritable(failure.description)
        } catch {
            throw .unwritable("\(error)")
        }
    }

    /// Runs what may wait for the file system.
    private func blocking<Value: Sendable>(
        _ body: @escaping @Sendable () throws(PrivateFile.Failure) -> Value
    ) async throws(PrivateFile.Failure) -> Value {
        let result = await runBlocking(atMost: GuardedFile.timeout, clock: clock) { Result(catching: body) }
        guard let result else {
            let sentence = "Cannot write \(file.settingsPath): its file system does not answer."
            throw PrivateFile.Failure(description: sentence)
        }
        return try result.get()
    }

    /// The text of the file after changes, if they are valid.
    private func text(
        _ advice: String?,
        after body: (inout TOMLNode, ConfigurationLayers) throws(AgentRequest.Failure) -> Void
    ) async throws(AgentRequest.Failure) -> String {
        var files: [ConfigurationLayers.File]
        let layers: ConfigurationLayers
        var root: TOMLNode
        let size: Int
        do throws(ConfigurationError) {
            files = try await file.presentFiles(clock: clock, mayBeMissing: true).files
            layers = try await file.usable(files, clock: clock).layers
            let present = files.first { $0.kind == .settings }
            root = try TOMLNode.parse(present?.text ?? "", file: file.settingsPath)
            size = present?.text.utf8.count ?? 0
        } catch {
            throw .configuration(error)
        }
        try body(&root, layers)
        let document = root.document
        let text = document.isEmpty ? "" : Self.comment + document
        guard text.utf8.count <= max(Self.limit, size) else {
            throw .invalid(translated("The rules would be larger than 64 KiB. Remove some, or write shorter ones."))
        }
        let new = ConfigurationLayers.File(.settings, path: file.settingsPath, text: text)
        files.removeAll { $0.kind == .settings }
        files.insert(new, at: files.firstIndex { $0.kind == .personal } ?? files.endIndex)
        do throws(ConfigurationError) {
            _ = try await file.usable(files, clock: clock)
        } catch {
            guard error.file == file.settingsPath else { throw .configuration(error) }
            throw .invalid(translatedParagraph([error.problem, advice]))
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
    ) throws(AgentRequest.Failure) -> TOMLNode {
        let new = settings.reduce(root) { $0.replacing($1.key.names[...], with: nil) }
        let kept = settings.first { layers.node($0.key) != nil && fixed($0, layers) != nil }
        if new == root, let kept, let sentence = fixed(kept, layers) { throw AgentRequest.Failure(.refused, sentence) }
        return new
    }

    /// Advice after a change that is invalid without another key of its table; nil: there is none.
    private static func advice(after changes: [SettingChange]) -> String? {
        guard let key = changes.first(where: { $0.value == nil })?.name, let end = key.firstIndex(of: ".") else {
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

extension Settings {
    /// Changes the rules of the file.
    ///
    /// - Throws: What `body` throws, `InvalidArgs` if they are too many or too large, or `Failed`.
    func changeRules<Result: Sendable>(
        at now: Timestamp,
        _ body: (inout SettingsRules) throws(DBusError) -> Result
    ) async throws(DBusError) -> Result {
        var result: Result?
        var mistake: DBusError?
        do throws(AgentRequest.Failure) {
            try await edit { (root, _) throws(AgentRequest.Failure) in
                let array = root.entries?["rules"]
                var tables: [TOMLNode] = []
                if case .array(let elements)? = array?.value { tables = elements }
                var rules = SettingsRules(tables, now: now)
                do throws(DBusError) { result = try body(&rules) } catch {
                    mistake = error
                    throw .invalid(error.message)
                }
                let new = TOMLNode(.array(rules.tables), file: root.file, line: .max)
                root = root.replacing(["rules"], with: rules.tables.isEmpty ? nil : new)
            }
        } catch {
            if let mistake { throw mistake }
            throw DBusError(error.kind == .invalidValue ? .invalidArgs : .failed, error.reason)
        }
        guard let result else { throw DBusError(.failed, "The file was not changed.") }
        return result
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
