import DBus
import FoundationEssentials
import Subprocess
import Testing

/// A real KWallet on the test's bus, with a wallet of its own that is open as after a login.
package enum KWallet {
    package static var isInstalled: Bool { version != nil }

    /// That of KDE's libraries, of which the program and its cryptography are there.
    private static var version: Int? {
        let directories = (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib")) ?? []
        return [6, 5].first { version in
            FileManager.default.isExecutableFile(atPath: "/usr/bin/kwalletd\(version)")
                && directories.contains { directory in
                    let plugin = "/usr/lib/\(directory)/qca-qt\(version)/crypto/libqca-ossl.so"
                    return FileManager.default.fileExists(atPath: plugin)
                }
        }
    }

    private static let configuration = """
        [Wallet]
        Enabled=true
        First Use=false
        Prompt on Open=false
        [org.freedesktop.secrets]
        apiEnabled=true

        """

    /// Runs `body` beside a kwalletd that owns `org.freedesktop.secrets`.
    package static func running(_ body: () async throws -> Void) async throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "feedbell-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: directory.path)
        defer { try? FileManager.default.removeItem(at: directory) }
        try Data(configuration.utf8).write(to: directory.appending(path: "kwalletrc"))
        // The Secret Service knows the wallets that there were at its start, so the first one only makes the wallet.
        try await withDaemon(directory.path) {
            let wallet = directory.path + "/kwalletd/kdewallet.kwl"
            try await waiting(for: "a wallet") { FileManager.default.fileExists(atPath: wallet) }
        }
        try await withDaemon(directory.path, body)
    }

    private static func withDaemon(_ directory: String, _ body: () async throws -> Void) async throws {
        let program = "kwalletd\(try #require(version))"
        let environment = Environment.inherit.updating([
            "DBUS_SESSION_BUS_ADDRESS": SessionBus.address, "HOME": directory, "XDG_RUNTIME_DIR": directory,
            "XDG_DATA_HOME": directory, "XDG_CONFIG_HOME": directory, "XDG_CACHE_HOME": directory,
            "QT_QPA_PLATFORM": "offscreen", "DISPLAY": nil, "WAYLAND_DISPLAY": nil,
        ])
        _ = try await Subprocess.run(
            .name(program),
            environment: environment,
            input: .none,
            output: .discarded,
            error: .discarded
        ) { daemon in
            try await withBus { bus in
                let name = try BusName("org.kde.\(program)")
                try await bus.waitForOwner(of: name)
                // As its module for PAM does it: the wallet's name, the hash of its password, no time after which it
                // closes.
                let password = [UInt8](repeating: 120, count: 56)
                _ = try await bus.call(
                    .methodCall(
                        name,
                        ObjectPath("/modules/\(program)"),
                        "org.kde.KWallet",
                        "pamOpen",
                        [.string("kdewallet"), .bytes(password), .int32(0)]
                    )
                )
                try await body()
                try daemon.send(signal: .kill)
                try await bus.waitForOwner(of: name) { $0 == nil }
            }
        }
    }
}
