import ArgumentParser
import Sandbox

/// The value of `--service`.
enum ServiceOption: String, ExpressibleByArgument, CaseIterable {
    case suprsend, magicbell
}

/// The options of `serve` for SuprSend.
struct SuprSendOptions: ParsableArguments {
    @Option(help: "The workspace's public key that clients must send.")
    var publicKey = "SS.PUBK.sandbox"

    @Option(name: .customLong("tenant"), help: "A tenant; may be repeated. (default: default)")
    var tenants: [String] = []

    @Flag(
        inversion: .prefixedNo,
        help: "Refuse clients without a valid user token; 'feedbell-sandbox token' prints one."
    )
    var requireToken = true

    @Option(help: "The interval between pings, in milliseconds.")
    var pingInterval: Int64 = 25_000

    @Option(help: "The timeout for the answer to a ping, in milliseconds.")
    var pingTimeout: Int64 = 20_000

    @Flag(help: "Disable connection state recovery.")
    var noRecovery = false

    func validate() throws {
        guard pingInterval > 0, pingTimeout > 0 else {
            throw ValidationError("--ping-interval and --ping-timeout must be positive.")
        }
    }

    /// The tenants.
    var names: [String] { tenants.isEmpty ? ["default"] : tenants }

    func options(port: Int, users: [String], tokenLifetime: Int64) -> SandboxOptions {
        SandboxOptions(
            port: port,
            publicKey: publicKey,
            users: users,
            tenants: names,
            requireToken: requireToken,
            tokenLifetime: tokenLifetime,
            pingInterval: pingInterval,
            pingTimeout: pingTimeout,
            recovery: !noRecovery
        )
    }
}

/// The options of `serve` for MagicBell.
struct MagicBellServeOptions: ParsableArguments {
    @Option(help: "The project's API key that clients must send.")
    var apiKey = "pk_sandbox"

    @Option(help: "The secret that users' HMACs are made with.")
    var hmacSecret = "sandbox-secret"

    @Flag(help: "Refuse clients without a valid HMAC or user token.")
    var requireHmac = false

    @Option(help: "The secret that user tokens are signed with.")
    var jwtSecret = "sandbox-secret"

    @Option(help: "The lifetime of Ably tokens, in milliseconds.")
    var ablyTokenLifetime: Int64 = 3_600_000

    @Option(help: "Ably's maxIdleInterval, the interval between heartbeats, in milliseconds.")
    var idleInterval: Int64 = 15_000

    func validate() throws {
        guard ablyTokenLifetime > 0, idleInterval > 0 else {
            throw ValidationError("--ably-token-lifetime and --idle-interval must be positive.")
        }
    }

    func options(users: [String], tokenLifetime: Int64) -> MagicBellOptions {
        MagicBellOptions(
            apiKey: apiKey,
            users: users,
            hmacSecret: hmacSecret,
            requireHMAC: requireHmac,
            jwtSecret: jwtSecret,
            tokenLifetime: tokenLifetime,
            ablyTokenLifetime: ablyTokenLifetime,
            maxIdleInterval: idleInterval
        )
    }

    /// The settings for a client, one line each.
    func addresses(of sandbox: Sandbox) -> [String] {
        [
            "API key: \(apiKey)",
            "REST API (v1): \(sandbox.baseURL)",
            "user API (v2): \(sandbox.baseURL)/v2",
            "MagicBell's socket: \(sandbox.socketURL)/?api_key=…&token=…",
            "Ably's REST API: \(sandbox.baseURL)",
            "Ably's realtime server: \(sandbox.socketURL)/?accessToken=…&format=json&v=…",
        ]
    }
}
