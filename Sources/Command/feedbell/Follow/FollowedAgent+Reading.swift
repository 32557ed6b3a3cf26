import AgentInterface
import DBus

extension FollowedAgent.State {
    /// Reads the state. nil: the replies are from different agents.
    init?(_ root: Proxy) async throws(DBusError) {
        guard let snapshot = try await AgentSnapshot(root) else { return nil }
        self.init(snapshot: snapshot, lists: [:])
        var senders: Set<BusName?> = [snapshot.owner]
        for path in snapshot.accounts.objects.keys {
            // Of the first part: what changes meanwhile is in later ones, or in signals.
            var serial: UInt32?
            do {
                let items = try await ListParts.all(ListOptions()) { (options) async throws(DBusError) in
                    let call = Message.methodCall(
                        root.destination,
                        path,
                        AgentInbox.name,
                        AgentInbox.list.name,
                        [Value(options.values)],
                        autoStart: false
                    )
                    let list = try await root.bus.call(call)
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
}
