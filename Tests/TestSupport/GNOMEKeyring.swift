package import DBus
import FoundationEssentials
import Subprocess
import Testing

/// A real GNOME Keyring on the test's bus, with a keyring of its own.
package struct GNOMEKeyring: Sendable {
    private static let password = "password of the keyring"
    private static let collection: ObjectPath = "/org/freedesktop/secrets/collection/login"

    /// Runs `body` beside a gnome-keyring-daemon that owns `org.freedesktop.secrets`, its keyring unlocked.
    @discardableResult
    package static func running<Result: Sendable>(
        _ body: (GNOMEKeyring) async throws -> Result
    ) async throws -> Result {
        let directory = FileManager.default.temporaryDirectory.appending(path: "feedbell-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        // Its control socket must be in a directory with mode 700.
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: directory.path)
        defer { try? FileManager.default.removeItem(at: directory) }
        let environment = Environment.inherit.updating([
            "DBUS_SESSION_BUS_ADDRESS": SessionBus.address, "HOME": directory.path, "XDG_RUNTIME_DIR": directory.path,
            "XDG_DATA_HOME": directory.path, "XDG_CONFIG_HOME": directory.path, "XDG_CACHE_HOME": directory.path,
            "DISPLAY": nil, "WAYLAND_DISPLAY": nil,
        ])
        let outcome = try await Subprocess.run(
            .name("gnome-keyring-daemon"),
            arguments: ["--foreground", "--unlock", "--components=secrets"],
            environment: environment,
            input: .string(password),
            output: .discarded,
            error: .discarded
        ) { daemon in
            defer { try? daemon.send(signal: .kill) }
            return try await withBus { bus in
                try await bus.waitForOwner(of: "org.freedesktop.secrets")
                return try await body(GNOMEKeyring())
            }
        }
        return outcome.closureResult
    }

    /// Locks the keyring, as its owner does.
    package func lock(_ bus: Bus) async throws {
        _ = try await call(bus, "org.freedesktop.Secret.Service", "Lock", [Value([Self.collection])])
    }

    /// Unlocks the keyring as a login does: with its password and without any prompt.
    package func unlock(_ bus: Bus) async throws {
        let plain: [Value] = [.string("plain"), .variant(.string(""))]
        let opened = try await call(bus, "org.freedesktop.Secret.Service", "OpenSession", plain)
        let password: [Value] = [
            .objectPath(Self.collection),
            .structure([opened[1], .bytes([]), .bytes(Array(Self.password.utf8)), .string("text/plain")]),
        ]
        let unsupported: InterfaceName = "org.gnome.keyring.InternalUnsupportedGuiltRiddenInterface"
        _ = try await call(bus, unsupported, "UnlockWithMasterPassword", password)
    }

    private func call(
        _ bus: Bus,
        _ interface: InterfaceName,
        _ member: MemberName,
        _ body: [Value]
    ) async throws -> [Value] {
        try await bus.call(
            .methodCall("org.freedesktop.secrets", "/org/freedesktop/secrets", interface, member, body)
        ).body
    }
}
