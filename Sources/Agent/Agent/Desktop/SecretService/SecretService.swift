package import DBus

/// The session's Secret Service: GNOME Keyring, KWallet, KeePassXC or another one, whichever owns
/// `org.freedesktop.secrets` or the bus starts for that name.
///
/// Each operation opens its own session with its own key.
package struct SecretService: Sendable {
    /// The timeout of a prompt. It also applies to calls during which a service may prompt: KeePassXC prompts while it
    /// searches.
    package static let promptTimeout = Duration.seconds(120)

    private let bus: Bus
    private let clock: any Clock<Duration>

    /// - Parameter clock: Measures ``promptTimeout``.
    package init(bus: Bus, clock: any Clock<Duration> = ContinuousClock()) {
        self.bus = bus
        self.clock = clock
    }

    /// The secret of the only item that has all of `attributes`. Locked items are considered only if no unlocked one
    /// matches.
    ///
    /// - Parameter mayPrompt: Whether a prompt to unlock the item may be shown.
    package func secret(_ attributes: [String: String], mayPrompt: Bool) async throws(SecretServiceError) -> [UInt8] {
        if !mayPrompt, await isEveryCollectionLocked() { throw .locked }
        return try await withSession { (session, cipher) async throws(SecretServiceError) in
            let (unlocked, locked) = try await call { () async throws(DBusError) in
                try await service.call(SecretServiceInterface.searchItems, attributes, timeout: Self.promptTimeout)
            }
            let candidates = unlocked.isEmpty ? locked : unlocked
            guard let item = candidates.first else { throw .noItem }
            guard candidates.count == 1 else { throw .severalItems(candidates.count) }
            if unlocked.isEmpty { try await unlock(item, mayPrompt: mayPrompt) }
            let sealed = try await call { () async throws(DBusError) in
                try await object(item).call(SecretItemInterface.getSecret, session)
            }
            guard let secret = cipher.open(vector: sealed.parameters, value: sealed.value) else {
                throw .undecipherable
            }
            return secret
        }
    }

    /// Whether there is an item that has all of `attributes`, locked or not. The service may show a prompt.
    package func contains(_ attributes: [String: String]) async throws(SecretServiceError) -> Bool {
        let (unlocked, locked) = try await call { () async throws(DBusError) in
            try await service.call(SecretServiceInterface.searchItems, attributes, timeout: Self.promptTimeout)
        }
        return !unlocked.isEmpty || !locked.isEmpty
    }

    /// When the item with these attributes was last stored, in seconds since the Unix epoch. Shows no prompt.
    package func modified(_ attributes: [String: String]) async throws(SecretServiceError) -> UInt64 {
        let (unlocked, locked) = try await call { () async throws(DBusError) in
            try await service.call(SecretServiceInterface.searchItems, attributes)
        }
        guard let item = (unlocked + locked).first else { throw .noItem }
        return try await call { () async throws(DBusError) in
            try await object(item).get(SecretItemInterface.modified)
        }
    }

    /// Stores a secret in the default collection and replaces an item with the same attributes.
    ///
    /// - Parameter mayPrompt: Whether a prompt to unlock the collection may be shown.
    package func store(
        _ secret: [UInt8],
        label: String,
        attributes: [String: String],
        mayPrompt: Bool = true
    ) async throws(SecretServiceError) {
        try await withSession { (session, cipher) async throws(SecretServiceError) in
            let collection = try await defaultCollection()
            try await unlock(collection, mayPrompt: mayPrompt)
            let properties: [String: Value] = [
                "org.freedesktop.Secret.Item.Label": .string(label),
                "org.freedesktop.Secret.Item.Attributes": Value(attributes),
            ]
            let (vector, value) = cipher.seal(secret)
            let sealed = Secret(session: session, parameters: vector, value: value)
            let (_, prompt) = try await call { () async throws(DBusError) in
                try await object(collection)
                    .call(SecretCollectionInterface.createItem, properties, sealed, true, timeout: Self.promptTimeout)
            }
            try await complete(prompt)
        }
    }

    /// Removes all items that have all of `attributes`. The service may show prompts.
    package func remove(_ attributes: [String: String]) async throws(SecretServiceError) {
        let (unlocked, locked) = try await call { () async throws(DBusError) in
            try await service.call(SecretServiceInterface.searchItems, attributes, timeout: Self.promptTimeout)
        }
        for item in locked { try await unlock(item, mayPrompt: true) }
        for item in unlocked + locked {
            let prompt = try await call { () async throws(DBusError) in
                try await object(item).call(SecretItemInterface.delete, timeout: Self.promptTimeout)
            }
            try await complete(prompt)
        }
    }
}

extension SecretService {
    private var service: Proxy { object(SecretServiceInterface.path) }

    private func object(_ path: ObjectPath) -> Proxy { Proxy(bus, SecretServiceInterface.busName, path) }

    /// The maximum number of attempts to open a session whose cipher is unambiguous; one in 256 is ambiguous.
    private static let sessionLimit = 4

    /// Runs `body` in a session and closes the session in every case.
    private func withSession<Result>(
        _ body: (_ session: ObjectPath, SecretCipher) async throws(SecretServiceError) -> Result
    ) async throws(SecretServiceError) -> Result {
        var (session, cipher, isUnambiguous) = try await openSession()
        for _ in 1..<Self.sessionLimit where !isUnambiguous {
            await close(session)
            (session, cipher, isUnambiguous) = try await openSession()
        }
        let result: Swift.Result<Result, SecretServiceError>
        do { result = .success(try await body(session, cipher)) } catch { result = .failure(error) }
        await close(session)
        return try result.get()
    }

    private func openSession() async throws(SecretServiceError) -> (ObjectPath, SecretCipher, isUnambiguous: Bool) {
        let keys = SecretCipher.KeyPair()
        let (output, session): (Value, ObjectPath)
        do {
            (output, session) = try await service.call(
                SecretServiceInterface.openSession,
                SecretCipher.name,
                .bytes(keys.publicKey)
            )
        } catch {
            throw error.name == .notSupported ? .noEncryption : SecretServiceError(error)
        }
        guard case .bytes(let key) = output, let (cipher, isUnambiguous) = keys.agreement(with: key) else {
            await close(session)
            throw .undecipherable
        }
        return (session, cipher, isUnambiguous)
    }

    private func close(_ session: ObjectPath) async {
        await send(SecretSessionInterface.self, SecretSessionInterface.close.name, to: session)
    }

    /// Whether every collection is locked. KeePassXC would prompt to unlock one at the first search.
    private func isEveryCollectionLocked() async -> Bool {
        guard let collections = try? await service.get(SecretServiceInterface.collections) else { return false }
        for collection in collections {
            guard (try? await object(collection).get(SecretCollectionInterface.locked)) == true else { return false }
        }
        return !collections.isEmpty
    }

    private func defaultCollection() async throws(SecretServiceError) -> ObjectPath {
        let known = try await call { () async throws(DBusError) in
            try await service.call(SecretServiceInterface.readAlias, "default")
        }
        guard known == .root else { return known }
        let label: [String: Value] = ["org.freedesktop.Secret.Collection.Label": .string("Default")]
        let (created, prompt) = try await call { () async throws(DBusError) in
            try await service.call(
                SecretServiceInterface.createCollection,
                label,
                "default",
                timeout: Self.promptTimeout
            )
        }
        if created != .root { return created }
        guard case .objectPath(let path)? = try await complete(prompt), path != .root else {
            throw .service(DBusError(.inconsistentMessage, "It created no collection."))
        }
        return path
    }

    /// Unlocks an item or a collection. Does nothing if it is unlocked.
    private func unlock(_ path: ObjectPath, mayPrompt: Bool) async throws(SecretServiceError) {
        let (_, prompt) = try await call { () async throws(DBusError) in
            try await service.call(SecretServiceInterface.unlock, [path])
        }
        guard mayPrompt || prompt == .root else { throw .locked }
        try await complete(prompt)
    }

    /// Shows a prompt and waits for its completion. Returns the operation's result; `nil` when no prompt was needed.
    @discardableResult
    private func complete(_ path: ObjectPath) async throws(SecretServiceError) -> Value? {
        guard path != .root else { return nil }
        let end: (dismissed: Bool, result: Value)
        do throws(SecretServiceError) {
            end = try await ending(of: object(path))
        } catch {
            await send(SecretPromptInterface.self, SecretPromptInterface.dismiss.name, to: path)
            throw error
        }
        guard !end.dismissed else { throw .dismissed }
        return end.result
    }

    private func ending(of prompt: Proxy) async throws(SecretServiceError) -> (dismissed: Bool, result: Value) {
        let completions = try await call { () async throws(DBusError) in
            try await prompt.signals(of: SecretPromptInterface.self)
        }
        let owners = try await call { () async throws(DBusError) in
            try await bus.nameOwnerChanges(of: SecretServiceInterface.busName)
        }
        // Without its service the prompt is gone.
        guard let owner = await owners.first(where: { _ in true })?.new else { throw .ended }
        // There is no parent window.
        try await call { () async throws(DBusError) in
            try await prompt.call(SecretPromptInterface.prompt, "", timeout: Self.promptTimeout)
        }
        let result = await withTaskGroup(of: Result<(dismissed: Bool, result: Value), SecretServiceError>.self) {
            [clock] group in
            group.addTask {
                for await message in completions {
                    if let end = try? SecretPromptInterface.completed.decode(message) { return .success(end) }
                }
                return .failure(Task.isCancelled ? .unanswered : .ended)
            }
            group.addTask {
                for await change in owners where change.new != owner { break }
                return .failure(Task.isCancelled ? .unanswered : .ended)
            }
            group.addTask {
                try? await clock.sleep(for: Self.promptTimeout)
                return .failure(.unanswered)
            }
            defer { group.cancelAll() }
            return await group.next() ?? .failure(.unanswered)
        }
        return try result.get()
    }

    /// Calls a cleanup method and does not wait for the reply, so a cancelled task can call it too.
    private func send<I: Interface>(_ interface: I.Type, _ method: MemberName, to path: ObjectPath) async {
        var message = Message.methodCall(SecretServiceInterface.busName, path, I.name, method, autoStart: false)
        message.noReplyExpected = true
        _ = try? await bus.send(message)
    }

    private func call<Answer>(
        _ body: () async throws(DBusError) -> Answer
    ) async throws(SecretServiceError) -> Answer {
        do { return try await body() } catch { throw SecretServiceError(error) }
    }
}

extension SecretServiceError {
    fileprivate init(_ error: DBusError) {
        self =
            switch error.name {
            case .serviceUnknown, .nameHasNoOwner: .noService
            case "org.freedesktop.Secret.Error.IsLocked": .locked
            default: .service(error)
            }
    }
}
