import Agent
import Basics
import DBus
import TestSupport
import Testing

/// A desktop's tray that a test controls: `org.kde.StatusNotifierWatcher` with or without a host.
struct FakeTray: Sendable {
    let bus: Bus
    private let registrations = Mailbox<BusName>()
    /// The names of the registered items, in order.
    var registered: Mailbox<BusName>.Messages { registrations.messages }

    init(bus: Bus) { self.bus = bus }

    /// Begins to own the name.
    func start(hasHost: Bool = true) async throws {
        var object = ExportedObject(StatusNotifierWatcher.path)
        object.set(StatusNotifierWatcher.isHostRegistered, hasHost)
        object.handle(StatusNotifierWatcher.registerItem) { service in registrations.send(try BusName(service)) }
        try await bus.export(object)
        _ = try await bus.requestName(StatusNotifierWatcher.busName)
    }

    func stop() async throws { try await bus.releaseName(StatusNotifierWatcher.busName) }

    /// All well-known names on the bus with their owners, as the AppIndicator extension reads them before it starts.
    func ownersOfNames() async throws -> [BusName: BusName] {
        let names = try await Proxy(bus, .bus, BusInterface.path).call(BusInterface.listNames)
        var owners: [BusName: BusName] = [:]
        for name in names where !name.hasPrefix(":") {
            let name = try BusName(name)
            owners[name] = try await bus.nameOwner(of: name)
        }
        return owners
    }

    /// A host appears or vanishes.
    func setHost(_ exists: Bool) async throws {
        await bus.update(StatusNotifierWatcher.path) { $0.set(StatusNotifierWatcher.isHostRegistered, exists) }
        let signal = exists ? StatusNotifierWatcher.hostRegistered : StatusNotifierWatcher.hostUnregistered
        try await bus.emit(signal, from: StatusNotifierWatcher.path)
    }

    /// The next registered item.
    func item() async throws -> Proxy {
        guard let name = await registered.next() else { throw CancellationError() }
        return Proxy(bus, name, StatusNotifierItem.path)
    }
}

/// The menu of an item, as hosts use it.
struct FakeMenu: Sendable {
    let proxy: Proxy

    init(of item: Proxy) async throws {
        proxy = Proxy(item.bus, item.destination, try await item.get(StatusNotifierItem.menu))
    }

    struct Item: Sendable {
        var id: Int32
        var properties: [String: Value]
        var children: [Item]

        init(_ layout: DBusMenu.Layout) throws {
            let items: [Value]
            (id, properties, items) = layout.elements
            children = try items.map { try Item(DBusMenu.Layout(dbus: $0)) }
        }

        var label: String { if case .string(let label)? = properties["label"] { label } else { "" } }

        /// The first descendant with this label.
        func item(_ label: String) -> Item? {
            if self.label == label { return self }
            return children.lazy.compactMap { $0.item(label) }.first
        }
    }

    func layout(_ id: Int32 = 0, depth: Int32 = -1) async throws -> Item {
        try Item(try await proxy.call(DBusMenu.getLayout, id, depth, []).1)
    }

    func click(_ item: Item) async throws {
        try await proxy.call(DBusMenu.event, item.id, "clicked", Value.string(""), 0)
    }
}
