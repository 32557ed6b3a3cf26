package import DBus

/// The agent and its accounts as it reported them once, each reply with its serial number: a signal with a lower one
/// is older.
package struct AgentSnapshot: Sendable {
    package var owner: BusName
    package var agent: (serial: UInt32, properties: PropertyValues<AgentRoot>)
    /// The properties of each interface of each account.
    package var accounts: (serial: UInt32, objects: [ObjectPath: [String: [String: Value]]])

    package init(
        owner: BusName,
        agent: (serial: UInt32, properties: PropertyValues<AgentRoot>),
        accounts: (serial: UInt32, objects: [ObjectPath: [String: [String: Value]]])
    ) {
        (self.owner, self.agent, self.accounts) = (owner, agent, accounts)
    }

    /// Reads it from the agent's own object. It starts no agent.
    ///
    /// - Returns: nil: the replies are from different agents.
    package init?(_ root: Proxy) async throws(DBusError) {
        let properties = PropertiesInterface.self
        let manager = ObjectManagerInterface.self
        func call(_ interface: InterfaceName, _ member: MemberName, _ body: [Value]) async throws(DBusError) -> Message
        {
            try await root.bus.call(.methodCall(root.destination, root.path, interface, member, body, autoStart: false))
        }
        let all = try await call(properties.name, properties.getAll.name, [.string(AgentRoot.name.text)])
        let objects = try await call(manager.name, manager.getManagedObjects.name, [])
        guard let owner = all.sender, owner == objects.sender, let values = all.body.first,
            let tree = objects.body.first
        else { return nil }
        self.init(
            owner: owner,
            agent: (all.serial, PropertyValues(try [String: Value](dbus: values))),
            accounts: (objects.serial, try [ObjectPath: [String: [String: Value]]](dbus: tree))
        )
    }

    /// The accounts, in the order of the configuration.
    package var paths: [ObjectPath] {
        (agent.properties[AgentRoot.accounts] ?? []).filter { accounts.objects[$0] != nil }
    }
}
