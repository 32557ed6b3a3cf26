/// The options of a sandbox. The defaults suit tests.
package struct SandboxOptions: Sendable, Equatable {
    /// The simulated service.
    package enum Service: Sendable, Equatable {
        /// SuprSend, with the options below.
        case suprSend
        /// MagicBell; of the options below only ``port`` and ``clockOffset`` apply.
        case magicBell(MagicBellOptions)
    }

    package var service: Service
    /// The TCP port; 0 lets the system choose.
    package var port: Int
    /// The workspace key that `Authorization` must carry.
    package var publicKey: String
    /// The known users (`distinct_id`); an `$identify` event adds one.
    package var users: [String]
    package var tenants: [String]
    /// Refuse requests and connections without a valid user token, as a workspace in production does.
    package var requireToken: Bool
    /// The lifetime of tokens made by the `token` command, in seconds.
    package var tokenLifetime: Int64
    /// Engine.IO's `pingInterval`, in milliseconds.
    package var pingInterval: Int64
    /// Engine.IO's `pingTimeout`, in milliseconds.
    package var pingTimeout: Int64
    /// Connection state recovery: `pid` in the answer to CONNECT, offsets after the payload of events.
    package var recovery: Bool
    /// The time in which a lost session can be resumed, in milliseconds.
    package var recoveryWindow: Int64
    /// Added to the wall clock, in milliseconds.
    package var clockOffset: Int64
    /// Whether there is a ``SimulatedSignIn`` beside the service.
    package var hasSignIn = false

    package init(
        service: Service = .suprSend,
        port: Int = 0,
        publicKey: String = "SS.PUBK.sandbox",
        users: [String] = ["user-1"],
        tenants: [String] = ["default"],
        requireToken: Bool = true,
        tokenLifetime: Int64 = 3600,
        pingInterval: Int64 = 25_000,
        pingTimeout: Int64 = 20_000,
        recovery: Bool = true,
        recoveryWindow: Int64 = 120_000,
        clockOffset: Int64 = 0
    ) {
        self.service = service
        self.port = port
        self.publicKey = publicKey
        self.users = users
        self.tenants = tenants
        self.requireToken = requireToken
        self.tokenLifetime = tokenLifetime
        self.pingInterval = pingInterval
        self.pingTimeout = pingTimeout
        self.recovery = recovery
        self.recoveryWindow = recoveryWindow
        self.clockOffset = clockOffset
    }

    /// The options of a simulated MagicBell.
    package static func magicBell(
        _ options: MagicBellOptions = MagicBellOptions(),
        port: Int = 0,
        clockOffset: Int64 = 0
    ) -> SandboxOptions {
        SandboxOptions(service: .magicBell(options), port: port, clockOffset: clockOffset)
    }

    /// The users of the service.
    var names: [String] { if case .magicBell(let options) = service { options.users } else { users } }

    var isMagicBell: Bool {
        if case .magicBell = service { true } else { false }
    }
}

/// One inbox: a user within a tenant. Also the name of a realtime room.
package struct InboxKey: Sendable, Hashable {
    package var tenant: String
    package var user: String

    package init(user: String, tenant: String = "default") {
        self.tenant = tenant
        self.user = user
    }
}
