import AgentInterface
import ArgumentParser
import DBus

/// An object of the running agent, as a command sees it: the agent's own, or an account's (``AccountOptions/object()``).
///
/// What fails throws a ``Failure``. None of the calls ever starts an agent.
///
/// ```swift
/// try await AgentObject.root().call(AgentRoot.resume)
/// print(try await account.object().properties(AgentInbox.self).value(AgentInbox.badgeCount) ?? 0)
/// ```
struct AgentObject: Sendable {
    let proxy: Proxy
    /// The account's name as the person gave it. Whether there is such an account shows with the first call.
    private var account: String?
    /// What the agent told of the object when it was looked up.
    private var told: [String: [String: Value]]?

    /// The agent's own object.
    ///
    /// - Parameter timeout: How long an agent may take to react; nil: that is not asked. An answer may take longer, if it needs the
    ///   service.
    static func root(timeout: Duration? = .seconds(TimeoutOptions.usual)) async throws -> AgentObject {
        let agent: Proxy
        do {
            agent = Proxy(try await Bus.connect(to: .session), AgentNames.busName, AgentNames.agentPath)
        } catch {
            throw Failure("There is no session bus here. Is this a desktop session? (\(error.message))", .noAgent)
        }
        guard let timeout else { return AgentObject(proxy: agent) }
        do {
            try await agent.call(PeerInterface.ping, timeout: timeout, autoStart: false)
        } catch  where error.name == .timeout {
            let advice = "Restart it with: systemctl --user restart feedbell"
            throw Failure("The agent runs, but it does not react within \(timeout.words). \(advice)", .noAnswer)
        } catch {
            // The call that follows fails with the same.
        }
        return AgentObject(proxy: agent)
    }

    /// The object of the account with this name, and nothing is asked yet; without a name, of the only account.
    func account(_ name: String?) async throws -> AgentObject {
        if let name {
            let path = AgentNames.accountPath(name)
            return AgentObject(proxy: Proxy(proxy.bus, proxy.destination, path), account: name)
        }
        let accounts = try await accounts()
        if accounts.count == 1, let (path, interfaces) = accounts.first {
            return AgentObject(proxy: Proxy(proxy.bus, proxy.destination, path), told: interfaces)
        }
        if accounts.isEmpty { throw Failure(Self.configured(accounts), .notFound) }
        throw Failure("Which account? Choose one with --account. \(Self.configured(accounts))", .usage)
    }

    /// Calls a method.
    @discardableResult
    func call<I: Interface, each A, Output>(
        _ method: InterfaceMethod<I, (repeat each A), Output>,
        _ arguments: repeat each A
    ) async throws -> Output {
        do {
            return try await proxy.call(method, repeat each arguments, autoStart: false)
        } catch {
            throw await failure(error)
        }
    }

    /// The properties of an interface: those told when the object was looked up, if it was.
    func properties<I: Interface>(_ interface: I.Type) async throws -> PropertyValues<I> {
        if let told { return PropertyValues(told[I.name.text] ?? [:]) }
        do {
            return try await proxy.getAll(interface, autoStart: false)
        } catch {
            throw await failure(error)
        }
    }

    /// Every account, if this is the agent's own object.
    func accounts() async throws -> [ObjectPath: [String: [String: Value]]] {
        do {
            return try await proxy.getManagedObjects(autoStart: false)
        } catch {
            throw await failure(error)
        }
    }

    private func failure(_ error: DBusError) async -> Failure {
        guard error.name == .unknownObject, let account else { return Failure(error) }
        let agent = AgentObject(proxy: Proxy(proxy.bus, proxy.destination, AgentNames.agentPath))
        let configured = (try? await agent.accounts()).map { " " + Self.configured($0) } ?? ""
        return Failure("There is no account \"\(account)\".\(configured)", .notFound)
    }

    private static func configured(_ accounts: [ObjectPath: [String: [String: Value]]]) -> String {
        let names = accounts.values.compactMap {
            $0[AgentAccount.name.text]?.text(AgentAccount.accountName.name.text)
        }
        return names.isEmpty
            ? "No account is configured; see the file config.toml of Feedbell."
            : "Configured: \(names.sorted().joined(separator: ", "))."
    }
}
