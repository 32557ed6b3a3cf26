package import FoundationEssentials
package import Inbox
package import Logging
package import Transport

/// What a service takes from the program: network, secrets, time.
package struct ServiceSurroundings: Sendable {
    package var transport: NIOTransport
    /// The tokens that are in the Secret Service.
    package var keyring: Keyring
    /// The wall clock.
    package var now: @Sendable () -> Timestamp
    /// Waiting.
    package var clock: any Clock<Duration>
    /// Scales the waits between attempts to connect; less than 1 in tests only.
    package var waitScale: Double
    package var logger: Logger

    package init(
        transport: NIOTransport,
        keyring: Keyring,
        now: @escaping @Sendable () -> Timestamp,
        clock: any Clock<Duration> = ContinuousClock(),
        waitScale: Double = 1,
        logger: Logger
    ) {
        self.transport = transport
        self.keyring = keyring
        self.now = now
        self.clock = clock
        self.waitScale = waitScale
        self.logger = logger
    }
}

extension Timestamp {
    /// The millisecond in which a moment lies.
    package init(_ date: Date) {
        self.init(milliseconds: Int64((date.timeIntervalSince1970 * 1000).rounded(.down)))
    }
}
