import AgentInterface
import DBus
import InboxPresentation

extension FollowedAgent.State {
    /// Reads the state. nil: the replies are from different agents.
    init?(_ root: Proxy) async throws(DBusError) {
        func call(_ path: ObjectPath, _ interface: InterfaceName, _ member: MemberName, _ body: [Value] = [])
            async throws(DBusError) -> Message
        {
            try await root.bus.call(.methodCall(root.destination, path, interface, member, body, autoStart: false))
        }
        let properties = PropertiesInterface.self
        let manager = ObjectManagerInterface.self
        let all = try await call(root.path, properties.name, properties.getAll.name, [.string(AgentRoot.name.text)])
        let objects = try await call(root.path, manager.name, manager.getManagedObjects.name)
        try self.init(all, objects)
        var senders: Set = [owner, objects.sender]
        for path in accounts.objects.keys {
            // Of the first part: what changes meanwhile is in later ones, or in signals.
            var serial: UInt32?
            do {
                let items = try await ListParts.all(ListOptions()) { (options) async throws(DBusError) in
                    let list = try await call(path, AgentInbox.name, AgentInbox.list.name, [Value(options.values)])
                    serial = serial ?? list.serial
                    senders.insert(list.sender)
                    return try list.body.first.map { (items) throws(DBusError) in try [[String: Value]](dbus: items) }
                        ?? []
                }
                lists[path] = (serial ?? 0, items.map(NotificationRecord.init))
            } catch  where [.unknownObject, AgentErrors.offline, AgentErrors.unauthorized].contains(error.name) {
                continue  // The account was removed meanwhile, or its inbox is not loaded yet; signals follow.
            }
        }
        guard senders.count == 1 else { return nil }
    }

    /// The state without lists of notifications.
    private init?(_ all: Message, _ objects: Message) throws(DBusError) {
        guard let owner = all.sender, let allValues = all.body.first, let objectsValue = objects.body.first else {
            return nil
        }
        self.owner = owner
        agent = (all.serial, PropertyValues(try [String: Value](dbus: allValues)))
        accounts = (objects.serial, try [ObjectPath: [String: [String: Value]]](dbus: objectsValue))
        lists = [:]
    }
}
