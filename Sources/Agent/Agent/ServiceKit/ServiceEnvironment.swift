package import Basics
package import ClientKit
package import Logging

/// The dependencies that the program provides to a service: network, secrets, time, log.
package struct ServiceEnvironment: Sendable {
    package var transport: NIOTransport
    /// The tokens in the Secret Service.
    package var keyring: Keyring
    /// The sign-ins of the accounts; nil: this program is not the agent.
    package var signIns: SignIns?
    /// Whether the running agent has a sign-in of an account, which a keyring may not have stored.
    package var isSignedIn: @Sendable (_ account: String) async -> Bool = { _ in false }
    /// The wall clock.
    package var now: @Sendable () -> Timestamp
    /// The clock of delays and timeouts.
    package var clock: any Clock<Duration>
    /// The scale of the delays between attempts to connect. 1 except in tests.
    package var waitScale: Double
    package var logger: Logger
    /// The name of the account that a service is made for.
    package var account = ""
    /// The registration of the inbox that the service is made for.
    package var registration = SavedRegistration()

    package init(
        transport: NIOTransport,
        keyring: Keyring,
        signIns: SignIns? = nil,
        now: @escaping @Sendable () -> Timestamp,
        clock: any Clock<Duration> = ContinuousClock(),
        waitScale: Double = 1,
        logger: Logger
    ) {
        self.transport = transport
        self.keyring = keyring
        self.signIns = signIns
        self.now = now
        self.clock = clock
        self.waitScale = waitScale
        self.logger = logger
    }
}
