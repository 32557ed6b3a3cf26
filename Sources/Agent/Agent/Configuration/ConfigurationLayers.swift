import AgentInterface

/// The files of the configuration, merged key by key: a value of a later file replaces that of an earlier one, except
/// for a key that a preset locks. The rules of all files are joined. Each value has its file and line.
package struct ConfigurationLayers: Sendable {
    /// A file with its content.
    package struct File: Equatable, Sendable {
        package enum Kind: Equatable, Sendable {
            /// Of the administrator: before those of the user.
            case preset
            /// `accounts.d/NAME.toml`, with one account.
            case account
            /// `settings.toml`, without accounts.
            case settings
            /// The file that the user writes.
            case personal
        }

        package var kind: Kind
        package var path: String
        package var text: String

        package init(_ kind: Kind, path: String, text: String) {
            self.kind = kind
            self.path = path
            self.text = text
        }
    }

    /// A key or table that only presets may set.
    package struct Lock: Equatable, Sendable {
        package var key: ConfigurationKey
        /// The path of the preset.
        package var preset: String
    }

    /// A value that is not used, because a preset locks its key.
    package struct IgnoredValue: Equatable, Sendable {
        package var key: ConfigurationKey
        package var file: String
        package var line: Int
        package var preset: String
    }

    /// The merged table.
    package private(set) var root: TOMLNode
    package private(set) var locks: [Lock] = []
    package private(set) var ignored: [IgnoredValue] = []
    /// The rules of each file that has some.
    package private(set) var ruleLists: [RuleList] = []
    /// The kinds of the files that have keys of each account.
    private var accountKinds: [String: [File.Kind]] = [:]
    /// The position of the personal file; nil: there is none.
    private var personal: Int?

    /// - Parameters:
    ///   - files: Presets first, the personal file last.
    ///   - specifiers: The values of `%u` and `%h` in presets.
    package init(_ files: [File], specifiers: Specifiers = Specifiers()) throws(ConfigurationError) {
        root = TOMLNode(.table([:]), file: files.last?.path ?? "", line: 1)
        personal = files.firstIndex { $0.kind == .personal }
        var merged = root
        for (layer, file) in files.enumerated() {
            var node = try TOMLNode.parse(file.text, file: file.path, layer: layer)
            switch file.kind {
            case .preset:
                locks += try Self.removeLocks(from: &node)
                node = try specifiers.expand(node)
            case .account: try Self.checkAccount(node)
            case .settings: try Self.checkSettings(node)
            case .personal: break
            }
            if let rules = Self.remove("rules", from: &node) {
                ruleLists.append(RuleList(kind: file.kind, node: rules))
            }
            for name in node.entries?["accounts"]?.entries?.keys.map({ $0 }) ?? [] {
                accountKinds[name, default: []].append(file.kind)
            }
            merge(node, into: &merged, at: ConfigurationKey([]), isPreset: file.kind == .preset)
        }
        root = merged
        let rules = ConfigurationKey(["rules"])
        let locking = Set(locks.filter { $0.key == rules }.map(\.preset))
        for index in ruleLists.indices { ruleLists[index].isLocked = locking.contains(ruleLists[index].node.file) }
    }

    /// The value of a key; nil: no file has it.
    package func node(_ key: ConfigurationKey) -> TOMLNode? {
        key.names.reduce(root) { node, name in node?.entries?[name] }
    }

    func origin(ofAccount name: String) -> AccountOrigin {
        let kinds = accountKinds[name] ?? []
        if kinds.contains(.preset) { return .preset }
        return kinds.contains(.personal) ? .config : .program
    }

    /// The preset that locks a key; nil: none does.
    package func lock(of key: ConfigurationKey) -> Lock? {
        locks.first { key.names.starts(with: $0.key.names) }
    }

    /// Whether programs cannot change a key: a preset locks it, or the personal file has it.
    func isFixed(_ key: ConfigurationKey) -> Bool {
        lock(of: key) != nil || personal.map { node(key)?.layer == $0 } ?? false
    }

    /// Removes what any file says about accounts that are not used.
    mutating func removeAccounts(of unused: [UnusedAccount]) {
        guard !unused.isEmpty, var entries = root.entries, let accounts = entries["accounts"] else { return }
        let names = Set(unused.map(\.fileName))
        let used = accounts.entries?.filter { !names.contains($0.key.fileName) } ?? [:]
        entries["accounts"] = used.isEmpty ? nil : TOMLNode(accounts, with: used)
        root = TOMLNode(root, with: entries)
    }

    // MARK: Merging

    private mutating func merge(
        _ new: TOMLNode,
        into old: inout TOMLNode,
        at key: ConfigurationKey,
        isPreset: Bool
    ) {
        guard case .table(let added) = new.value, case .table(var entries) = old.value else {
            old = new
            return
        }
        for (name, node) in added.sorted(by: { $0.value.line < $1.value.line }) {
            let path = key + name
            let alternatives = path.isOfAccount ? Self.alternatives(to: name) : []
            if !isPreset, let lock = ([name] + alternatives).compactMap({ lock(of: key + $0) }).first {
                let value = IgnoredValue(key: path, file: node.file, line: node.line, preset: lock.preset)
                ignored.append(value)
                continue
            }
            // A key of the same file stays: two sources of one secret are an error.
            for other in alternatives where entries[other]?.layer != new.layer { entries[other] = nil }
            let isTable = node.entries != nil
            var merged = entries[name] ?? (isTable ? TOMLNode(node, with: [:]) : node)
            merge(node, into: &merged, at: path, isPreset: isPreset)
            entries[name] = merged
        }
        old = TOMLNode(new, with: entries)
    }

    /// The kinds of sources of a secret, as endings of its keys.
    private static let sources = ["_command", "_file", "_secret", "_credential", "_url"]

    /// The other keys for the source of a secret: one replaces the other.
    private static func alternatives(to name: String) -> [String] {
        guard let ending = sources.first(where: name.hasSuffix) else { return [] }
        let secret = name.dropLast(ending.count)
        return sources.filter { $0 != ending }.map { secret + $0 }
    }

    // MARK: Files of each kind

    /// Removes a key of a file and returns its value.
    private static func remove(_ key: String, from root: inout TOMLNode) -> TOMLNode? {
        guard var entries = root.entries, let node = entries.removeValue(forKey: key) else { return nil }
        root = TOMLNode(root, with: entries)
        return node
    }

    /// Removes the table `[locked]` of a preset and returns its keys.
    private static func removeLocks(from root: inout TOMLNode) throws(ConfigurationError) -> [Lock] {
        guard let node = remove("locked", from: &root) else { return [] }
        var table = try ConfigurationTable(node, path: "locked")
        let texts = try table.strings("keys") ?? []
        try table.finish()
        return try texts.map { (text) throws(ConfigurationError) in
            guard let key = ConfigurationKey(text) else {
                let problem = "\"\(text)\" in \"locked.keys\" is not a key. Write it as in \"popups.timeout\"."
                throw table.error("keys", problem)
            }
            return Lock(key: key, preset: root.file)
        }
    }

    private static func checkAccount(_ root: TOMLNode) throws(ConfigurationError) {
        let accounts = root.entries?["accounts"]
        let names = accounts?.entries.map { $0.keys.sorted() } ?? []
        let isFile = names.count == 1 && root.file.split(separator: "/").last == "\(names[0].fileName).toml"
        guard root.entries?.count != 1 || !isFile else { return }
        let problem = "A file in accounts.d has one account and nothing else, and the account's name with \".toml\"."
        throw ConfigurationError(file: root.file, line: 1, problem: problem)
    }

    private static func checkSettings(_ root: TOMLNode) throws(ConfigurationError) {
        guard let accounts = root.entries?["accounts"] else { return }
        let problem = "Accounts are not configured here. Move [accounts] to config.toml."
        throw ConfigurationError(file: root.file, line: accounts.line, problem: problem)
    }
}

extension TOMLNode {
    /// A table at the place of another node.
    fileprivate init(_ place: TOMLNode, with entries: [String: TOMLNode]) {
        self.init(.table(entries), file: place.file, line: place.line, layer: place.layer)
    }
}
