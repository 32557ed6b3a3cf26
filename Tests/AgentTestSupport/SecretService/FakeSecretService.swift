package import DBus
import Glibc

/// A Secret Service that does what a test wants: prompts that are answered in every way, items of every kind. Secrets
/// are encrypted in both directions as the specification says.
package actor FakeSecretService {
    /// The user's reaction to a prompt.
    package enum Answer: Sendable {
        case agree
        case dismiss
        case nothing
    }

    package struct Item: Sendable, Equatable {
        package var label: String
        package var attributes: [String: String]
        package var secret: [UInt8]
        package var isLocked: Bool

        package init(_ attributes: [String: String], _ secret: String, label: String = "", isLocked: Bool = false) {
            self.label = label
            self.attributes = attributes
            self.secret = Array(secret.utf8)
            self.isLocked = isLocked
        }
    }

    /// Prompts that were shown, by what they asked; then each one's end.
    package nonisolated let prompts: AsyncStream<String>
    private let promptInput: AsyncStream<String>.Continuation

    package private(set) var items: [Item]
    /// How many prompts were shown.
    package private(set) var promptCount = 0
    private var answer: Answer
    private let knowsEncryption: Bool
    private var hasCollection: Bool
    private var isCollectionLocked: Bool
    private let searchPrompts: Bool
    private let isGarbling: Bool
    private let keyLength: Int?
    /// Sessions that are still to have a shared number with a leading zero, which this service leaves out.
    private var ambiguousSessions: Int
    /// How many sessions were opened.
    package private(set) var openedCount = 0
    private let bus: Bus
    private var sessions: [ObjectPath: SessionCipher] = [:]
    private var lastID = 0

    private static let collection: ObjectPath = "/org/freedesktop/secrets/collection/login"

    /// - Parameters:
    ///   - hasCollection: Whether there is a default collection.
    ///   - searchPrompts: Whether a search opens a prompt to unlock a locked collection, as in KeePassXC, and finds
    ///     nothing if the user does not unlock it.
    ///   - isGarbling: Whether it encrypts with another key than agreed.
    ///   - keyLength: The bytes of its public keys: 127 without a leading zero, 129 with one more, as KWallet has them;
    ///     nil: 128.
    ///   - ambiguousSessions: The number of sessions at the beginning whose shared number begins with a zero, which is
    ///     left out.
    package init(
        bus: Bus,
        items: [Item] = [],
        answer: Answer = .agree,
        knowsEncryption: Bool = true,
        hasCollection: Bool = true,
        isCollectionLocked: Bool = false,
        searchPrompts: Bool = false,
        isGarbling: Bool = false,
        keyLength: Int? = nil,
        ambiguousSessions: Int = 0
    ) {
        self.bus = bus
        self.items = items
        self.answer = answer
        self.knowsEncryption = knowsEncryption
        self.hasCollection = hasCollection
        self.isCollectionLocked = isCollectionLocked
        self.searchPrompts = searchPrompts
        self.isGarbling = isGarbling
        self.keyLength = keyLength
        self.ambiguousSessions = ambiguousSessions
        (prompts, promptInput) = AsyncStream.makeStream()
    }

    /// How many sessions are open.
    package var sessionCount: Int { sessions.count }

    package func answers(_ answer: Answer) { self.answer = answer }

    /// The user unlocks the collection without a prompt.
    package func unlock() async {
        isCollectionLocked = false
        await tellWhetherLocked()
    }

    private func tellWhetherLocked() async {
        let isLocked = isCollectionLocked
        await bus.update(Self.collection) { $0.set(SecretCollectionInterface.locked, isLocked) }
    }

    package func replace(_ items: [Item]) async throws {
        self.items = items
        try await exportItems()
    }

    /// Puts it on the bus under its name.
    package func appear() async throws {
        var object = ExportedObject(SecretServiceInterface.path)
        object.handle(SecretServiceInterface.openSession) { try await self.open($0, $1) }
        object.handle(SecretServiceInterface.searchItems) { attributes in await self.search(attributes) }
        object.handle(SecretServiceInterface.unlock) { paths in try await self.unlock(paths) }
        object.handle(SecretServiceInterface.readAlias) { name in await self.collection(called: name) }
        object.handle(SecretServiceInterface.createCollection) { _, _ in
            let prompt = try await self.prompt("create the collection", result: .objectPath(Self.collection)) {
                $0.hasCollection = true
            }
            return (.root, prompt)
        }
        object.set(SecretServiceInterface.collections, [Self.collection])
        try await bus.export(object)
        var collection = ExportedObject(Self.collection)
        collection.set(SecretCollectionInterface.locked, isCollectionLocked)
        collection.handle(SecretCollectionInterface.createItem) { try await self.create($0, $1, replace: $2) }
        try await bus.export(collection)
        try await exportItems()
        try await takeName()
    }

    package func giveUpName() async throws { _ = try await bus.releaseName(SecretServiceInterface.busName) }

    package func takeName() async throws {
        // The bus may not have noticed yet that the one before is gone.
        _ = try await bus.requestName(SecretServiceInterface.busName, flags: [])
        let own = await bus.uniqueName
        for await change in try await bus.nameOwnerChanges(of: SecretServiceInterface.busName) where change.new == own {
            break
        }
    }

    private func collection(called alias: String) -> ObjectPath {
        alias == "default" && hasCollection ? Self.collection : .root
    }

    private func exportItems() async throws {
        for index in items.indices {
            var object = ExportedObject(Self.path(index))
            object.handle(SecretItemInterface.getSecret) { session in try await self.secret(of: index, in: session) }
            object.handle(SecretItemInterface.delete) { try await self.delete(index) }
            object.set(SecretItemInterface.modified, UInt64(time(nil)))
            try await bus.export(object)
        }
    }

    private static func path(_ index: Int) -> ObjectPath { collection.appending("item\(index)") }

    private func nextID() -> String {
        lastID += 1
        return "n\(lastID)"
    }

    private func open(_ algorithm: String, _ input: Value) async throws -> (Value, ObjectPath) {
        guard knowsEncryption, algorithm == SessionCipher.name, case .bytes(let key) = input else {
            throw DBusError(.notSupported, "The algorithm is not supported")
        }
        let isAmbiguous = ambiguousSessions > 0
        if isAmbiguous { ambiguousSessions -= 1 }
        var (cipher, publicKey, hasLeadingZero): (SessionCipher, [UInt8], Bool)
        repeat {
            guard let agreed = SessionCipher.agreed(with: key) else { throw DBusError(.invalidArgs, "That is no key") }
            (cipher, publicKey, hasLeadingZero) = agreed
            if keyLength == 129 { publicKey.insert(0, at: 0) }
            if keyLength == 127, publicKey[0] == 0 { publicKey.removeFirst() }
            if hasLeadingZero == isAmbiguous, keyLength.map({ $0 == publicKey.count }) ?? true { break }
        } while true
        openedCount += 1
        let path = SecretServiceInterface.path.appending("session").appending(nextID())
        sessions[path] = isGarbling || isAmbiguous ? SessionCipher(key: Array(0..<16)) : cipher
        var session = ExportedObject(path)
        session.handle(SecretSessionInterface.close) { await self.close(path) }
        try await bus.export(session)
        return (.bytes(publicKey), path)
    }

    private func close(_ session: ObjectPath) async {
        sessions[session] = nil
        await bus.unexport(session)
    }

    private func search(_ attributes: [String: String]) async -> ([ObjectPath], [ObjectPath]) {
        if searchPrompts, isCollectionLocked {
            show("unlock for a search")
            guard answer == .agree else { return ([], []) }
            await unlock()
        }
        let found = items.indices.filter { index in
            attributes.allSatisfy { items[index].attributes[$0.key] == $0.value }
        }
        let locked = found.filter { items[$0].isLocked }
        return (found.filter { !items[$0].isLocked }.map(Self.path), locked.map(Self.path))
    }

    private func unlock(_ paths: [ObjectPath]) async throws -> ([ObjectPath], ObjectPath) {
        let isLocked = items.indices.contains { paths.contains(Self.path($0)) && items[$0].isLocked }
        guard isLocked || paths.contains(Self.collection) && isCollectionLocked else { return (paths, .root) }
        let prompt = try await prompt("unlock", result: Value(paths)) { service in
            service.isCollectionLocked = false
            for index in service.items.indices { service.items[index].isLocked = false }
        }
        return ([], prompt)
    }

    private func secret(of index: Int, in session: ObjectPath) throws -> Secret {
        guard let cipher = sessions[session] else {
            throw DBusError("org.freedesktop.Secret.Error.NoSession", "No such session")
        }
        guard !items[index].isLocked else { throw DBusError("org.freedesktop.Secret.Error.IsLocked", "It is locked") }
        let (vector, value) = cipher.seal(items[index].secret)
        return Secret(session, vector, value, "text/plain")
    }

    private func create(
        _ properties: [String: Value],
        _ secret: Secret,
        replace: Bool
    ) async throws -> (ObjectPath, ObjectPath) {
        guard !isCollectionLocked else { throw DBusError("org.freedesktop.Secret.Error.IsLocked", "It is locked") }
        let attributes: [String: String] = try properties.value("org.freedesktop.Secret.Item.Attributes") ?? [:]
        let (session, vector, value, _) = secret.elements
        guard let cipher = sessions[session], let text = cipher.open(vector: vector, value: value)
        else { throw DBusError(.invalidArgs, "That is no secret") }
        var item = Item(
            attributes,
            "",
            label: try properties.value("org.freedesktop.Secret.Item.Label") ?? ""
        )
        item.secret = text
        if replace { items.removeAll { $0.attributes == attributes } }
        items.append(item)
        try await exportItems()
        return (Self.path(items.count - 1), .root)
    }

    /// Always with a prompt, as KeePassXC does.
    private func delete(_ index: Int) async throws -> ObjectPath {
        guard !items[index].isLocked else { throw DBusError("org.freedesktop.Secret.Error.IsLocked", "It is locked") }
        return try await prompt("delete", result: .string("")) { $0.items.remove(at: index) }
    }

    private func show(_ purpose: String) {
        promptCount += 1
        promptInput.yield(purpose)
    }

    /// A prompt that performs `operation` when the user agrees.
    private func prompt(
        _ purpose: String,
        result: Value,
        _ operation: @escaping @Sendable (isolated FakeSecretService) -> Void
    ) async throws -> ObjectPath {
        let path = SecretServiceInterface.path.appending("prompt").appending(nextID())
        var object = ExportedObject(path)
        object.handle(SecretPromptInterface.prompt) { _ in
            await self.show(purpose)
            switch await self.answer {
            case .agree:
                await operation(self)
                await self.tellWhetherLocked()
                try await self.bus.emit(SecretPromptInterface.completed, false, result, from: path)
            case .dismiss: try await self.bus.emit(SecretPromptInterface.completed, true, .string(""), from: path)
            case .nothing: break
            }
        }
        object.handle(SecretPromptInterface.dismiss) {
            self.promptInput.yield("dismissed by its caller")
            await self.bus.unexport(path)
        }
        try await bus.export(object)
        return path
    }
}
