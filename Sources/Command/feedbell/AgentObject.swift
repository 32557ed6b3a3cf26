import AgentInterface
import ArgumentParser
import DBus
import VisibleText

/// An object of the running agent, as a command sees it: the agent's own, or an account's
/// (``AccountOptions/object()``).
///
/// Errors are thrown as ``Failure``. No call starts an agent: ``Start`` does.
///
/// ```swift
/// try await AgentObject.root().call(AgentRoot.resume)
/// print(try await account.object().properties(AgentInbox.self).value(AgentInbox.badgeCount) ?? 0)
/// ```
struct AgentObject: Sendable {
    let proxy: Proxy
    /// The account's name as the user gave it. The first call shows whether it exists.
    private var account: String?
    /// The properties that came with the list of objects.
    private var known: [String: [String: Value]]?

    /// How long the agent may take to answer, until it has; nil: unlimited, or it has answered.
    private var timeout: Duration?

    /// The agent's own object.
    ///
    /// - Parameter timeout: How long the agent may take to answer a ping; nil: it is not pinged. A call that needs the
    ///   service may take longer.
    static func root(timeout: Duration? = .seconds(TimeoutOptions.defaultSeconds)) async throws -> AgentObject {
        try await unanswered(timeout: timeout).answering()
    }

    /// The agent's own object, before it has answered.
    ///
    /// - Parameter timeout: How long it may take to answer what is called first: ``accounts()``, or a ping
    ///   (``account(_:)``).
    static func unanswered(timeout: Duration?) async throws -> AgentObject {
        AgentObject(proxy: Proxy(try await sessionBus(), AgentNames.busName, AgentNames.agentPath), timeout: timeout)
    }

    private func answering() async throws -> AgentObject {
        guard let timeout else { return self }
        do {
            try await proxy.call(PeerInterface.ping, timeout: timeout, autoStart: false)
        } catch  where error.name == .timeout {
            throw Self.busy(timeout)
        } catch {
            // The next call fails with the same error.
        }
        return AgentObject(proxy: proxy)
    }

    private static func busy(_ timeout: Duration) -> Failure {
        let problem = translated(
            "The agent is busy: it did not answer within {seconds} s. Try again, or let it take more time with "
                + "--timeout. If it stays busy, see: feedbell doctor",
            ["seconds": timeout.secondsText]
        )
        return Failure(problem, .noAnswer)
    }

    /// The session bus.
    static func sessionBus() async throws -> Bus {
        do {
            return try await Bus.connect(to: .session)
        } catch {
            throw Failure(
                translated(
                    "Cannot use the session bus. {advice} ({reason})",
                    ["advice": SessionEnvironment.current.advice, "reason": error.message]
                ),
                .noAgent
            )
        }
    }

    /// The object of the account with this name, whether it exists or not; without a name, of the only account.
    func account(_ name: String?) async throws -> AgentObject {
        if let name {
            _ = try await answering()
            return AgentObject(proxy: account(at: name), account: name)
        }
        let accounts = try await accounts()
        if accounts.count == 1, let (path, interfaces) = accounts.first {
            return AgentObject(proxy: Proxy(proxy.bus, proxy.destination, path), known: interfaces)
        }
        if accounts.isEmpty { throw Failure(Self.noAccount, .notFound) }
        let question = translated("Which account? Choose one with --account.")
        throw Failure(translatedParagraph([question, Self.configured(accounts)]), .usage)
    }

    /// The object of the account with this name on the bus, whether it exists or not.
    func account(at name: String) -> Proxy { Proxy(proxy.bus, proxy.destination, AgentNames.accountPath(name)) }

    /// Another object of the agent, whether it exists or not.
    func object(at path: ObjectPath) -> AgentObject {
        AgentObject(proxy: Proxy(proxy.bus, proxy.destination, path))
    }

    /// Calls a method.
    ///
    /// - Parameter timeout: nil: none.
    @discardableResult
    func call<I: Interface, each A, Output>(
        _ method: InterfaceMethod<I, (repeat each A), Output>,
        _ arguments: repeat each A,
        timeout: Duration? = Bus.defaultTimeout
    ) async throws -> Output {
        do {
            return try await proxy.call(method, repeat each arguments, timeout: timeout, autoStart: false)
        } catch {
            throw await failure(error)
        }
    }

    /// Makes a call of an account's object.
    func send(_ call: InboxCall) async throws {
        do { try await call.send(to: proxy) } catch { throw await failure(error) }
    }

    /// The properties of an interface, from the list of objects if that was read.
    func properties<I: Interface>(_ interface: I.Type) async throws -> PropertyValues<I> {
        if let known { return PropertyValues(in: known) }
        do {
            return try await proxy.getAll(interface, autoStart: false)
        } catch {
            throw await failure(error)
        }
    }

    /// The present value of a property.
    func get<I: Interface, Content>(_ property: InterfaceProperty<I, Content>) async throws -> Content {
        do {
            return try await proxy.get(property, autoStart: false)
        } catch {
            throw await failure(error)
        }
    }

    /// Every account, if this is the agent's own object.
    func accounts() async throws -> [ObjectPath: [String: [String: Value]]] {
        do {
            guard let timeout else { return try await proxy.getManagedObjects(autoStart: false) }
            return try await proxy.getManagedObjects(timeout: timeout, autoStart: false)
        } catch {
            if let timeout, error.name == .timeout { throw Self.busy(timeout) }
            throw await failure(error)
        }
    }

    /// The object of the account with this name; without a name, of all accounts in the order of the configuration.
    /// - Throws: ``Failure`` if no account is configured.
    func accountObjects(_ name: String?) async throws -> [AgentObject] {
        if name != nil { return [try await account(name)] }
        let objects = try await accounts()
        if objects.isEmpty { throw Failure(Self.noAccount, .notFound) }
        let order = objects.count == 1 ? Array(objects.keys) : try await get(AgentRoot.accounts)
        return order.compactMap { path in
            objects[path].map { AgentObject(proxy: Proxy(proxy.bus, proxy.destination, path), known: $0) }
        }
    }

    private func failure(_ error: DBusError) async -> Failure {
        guard error.name == .unknownObject, let account else { return Failure(error) }
        let agent = AgentObject(proxy: Proxy(proxy.bus, proxy.destination, AgentNames.agentPath))
        let configured = (try? await agent.accounts()).map { " " + Self.configured($0) } ?? ""
        return Failure(translated("There is no account \"{name}\".", ["name": account]) + configured, .notFound)
    }

    static var noAccount: String { translated("No account is configured. Add one with: feedbell accounts add") }

    private static func configured(_ accounts: [ObjectPath: [String: [String: Value]]]) -> String {
        let names = accounts.values.compactMap { PropertyValues<AgentAccount>(in: $0)[AgentAccount.accountName] }
        return names.isEmpty
            ? noAccount
            : translated("Configured: {names}.", ["names": names.sorted().joined(separator: ", ")])
    }
}

extension [AgentObject] {
    /// The properties of an interface of each object, as ``AgentObject/properties(_:)``.
    func properties<I: Interface>(_ interface: I.Type) async throws -> [PropertyValues<I>] {
        var properties: [PropertyValues<I>] = []
        for object in self { properties.append(try await object.properties(interface)) }
        return properties
    }
}

extension AgentObject {
    /// The notifications of an account. With a limit, it takes as long as the service to list them.
    func notifications(_ options: ListOptions = ListOptions()) async throws -> [NotificationRecord] {
        try await ListParts.all(options) { options in try await call(AgentInbox.list, options.values, timeout: nil) }
            .map(NotificationRecord.init)
    }

    /// Why the last list with these options may lack notifications; nil: it lacks none.
    func listProblem(_ options: ListOptions) async -> Failure? {
        // An agent of an earlier version does not know it.
        guard let reason = try? await call(AgentInbox.listProblem, options.values), !reason.isEmpty else { return nil }
        return Failure(reason, ExitCode.ofMissing(in: try? await get(AgentAccount.state)))
    }

    /// The categories of an account's preferences.
    func categories() async throws -> [CategoryRecord] {
        try await call(AgentPreferences.list).map(CategoryRecord.init)
    }
}
