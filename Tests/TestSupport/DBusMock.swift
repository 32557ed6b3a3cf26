package import DBus
import Subprocess
import Testing

/// A service mocked by python-dbusmock: logind, NetworkManager and others.
package struct DBusMock: Sendable {
    /// A connection to its bus.
    package let bus: Bus
    /// Its name.
    package let name: BusName
    /// Its process, for tests that end it.
    package let processID: Int32

    /// Runs `body` beside a service.
    ///
    /// - Parameters:
    ///   - arguments: `--template` and one of its names, or a name, a path and an interface.
    ///   - name: The bus name that it owns when it is ready.
    ///   - address: Of its bus.
    @discardableResult
    package static func running<Result: Sendable>(
        _ arguments: [String],
        name: BusName,
        on address: String,
        _ body: (DBusMock) async throws -> Result
    ) async throws -> Result {
        let addresses: [Environment.Key: String?] = [
            "DBUS_SESSION_BUS_ADDRESS": address, "DBUS_SYSTEM_BUS_ADDRESS": address,
        ]
        let outcome = try await Subprocess.run(
            // Debian's own Python, whatever stands before it in PATH.
            .name("env"),
            arguments: Arguments(["/usr/bin/python3", "-m", "dbusmock"] + arguments),
            environment: .inherit.updating(addresses),
            input: .none,
            output: .discarded,
            error: .discarded
        ) { mock in
            defer { try? mock.send(signal: .kill) }
            return try await withBus(to: address) { bus in
                try await bus.waitForOwner(of: name)
                return try await body(
                    DBusMock(bus: bus, name: name, processID: Int32(mock.processIdentifier.value))
                )
            }
        }
        return outcome.closureResult
    }

    /// Calls a method; returns what it answers.
    @discardableResult
    package func call(
        _ path: ObjectPath,
        _ interface: InterfaceName,
        _ member: MemberName,
        _ body: [Value] = []
    ) async throws -> [Value] {
        try await bus.call(.methodCall(name, path, interface, member, body)).body
    }

    /// Has an object send a signal of an interface.
    package func emit(
        _ path: ObjectPath,
        _ interface: InterfaceName,
        _ member: MemberName,
        _ types: String,
        _ arguments: [Value]
    ) async throws {
        let arguments = Value.array(of: "v", arguments.map { .variant($0) })
        let body: [Value] = [.string(interface.text), .string(member.text), .string(types), arguments]
        try await call(path, "org.freedesktop.DBus.Mock", "EmitSignal", body)
    }
}

// MARK: logind

extension DBusMock {
    private static let login: ObjectPath = "/org/freedesktop/login1"
    private static let manager: InterfaceName = "org.freedesktop.login1.Manager"

    /// Runs `body` beside a logind on the test's system bus.
    @discardableResult
    package static func logind<Result: Sendable>(_ body: (DBusMock) async throws -> Result) async throws -> Result {
        try await running(
            ["--template", "logind"],
            name: "org.freedesktop.login1",
            on: SessionBus.systemAddress,
            body
        )
    }

    /// Says that the machine goes to sleep, or that it is awake.
    package func prepareForSleep(_ start: Bool) async throws {
        try await emit(Self.login, Self.manager, "PrepareForSleep", "b", [.bool(start)])
    }

    /// Who holds up what: `what`, `who`, `why` and `mode` of each.
    package func inhibitors() async throws -> [[String]] {
        guard case .array(_, let rows)? = try await call(Self.login, Self.manager, "ListInhibitors").first else {
            return []
        }
        return rows.map { row in
            guard case .structure(let fields) = row else { return [] }
            return fields.compactMap { if case .string(let text) = $0 { text } else { nil } }
        }
    }

    /// Waits until this number of inhibitors exist.
    package func inhibitors(_ count: Int) async throws {
        try await waiting(for: "\(count) inhibitors", seeing: inhibitors) { $0.count == count }
    }
}

// MARK: NetworkManager

extension DBusMock {
    private static let network: ObjectPath = "/org/freedesktop/NetworkManager"

    /// Runs `body` beside a NetworkManager on the test's system bus. It is connected.
    @discardableResult
    package static func networkManager<Result: Sendable>(
        _ body: (DBusMock) async throws -> Result
    ) async throws -> Result {
        try await running(
            ["--template", "networkmanager"],
            name: "org.freedesktop.NetworkManager",
            on: SessionBus.systemAddress
        ) { manager in
            let property: [Value] = [
                .string("org.freedesktop.NetworkManager"), .string("PrimaryConnection"), .variant(.objectPath("/")),
            ]
            try await manager.call(network, "org.freedesktop.DBus.Mock", "AddProperty", property)
            // Adding sends no signal, setting does: a client that asked in between asks again.
            let setting = [.string(network.text)] + property
            try await manager.call("/org/freedesktop", "org.freedesktop.DBus.Mock", "SetProperty", setting)
            return try await body(manager)
        }
    }

    /// Changes its `State`.
    package func network(_ state: UInt32) async throws {
        try await call("/org/freedesktop", "org.freedesktop.DBus.Mock", "SetGlobalConnectionState", [.uint32(state)])
    }

    /// Gives the default route to an active connection of that number.
    package func primaryConnection(_ number: Int) async throws {
        let path = try ObjectPath("\(Self.network)/ActiveConnection/\(number)")
        let property: [Value] = [
            .string(Self.network.text), .string("org.freedesktop.NetworkManager"), .string("PrimaryConnection"),
            .variant(.objectPath(path)),
        ]
        try await call("/org/freedesktop", "org.freedesktop.DBus.Mock", "SetProperty", property)
    }
}
