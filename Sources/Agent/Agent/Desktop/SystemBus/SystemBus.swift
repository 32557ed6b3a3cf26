import Basics
package import DBus
package import Logging

/// The shared connection to the system bus. It is optional.
package actor SystemBus {
    private enum State {
        case unopened, open(Bus), missing
    }

    private let address: BusAddress?
    private let loop: any BusLoop
    private let logger: Logger
    private var state = State.unopened
    /// Tasks that wait for ``run()`` to connect.
    private var waiters = Waiters()

    /// Connects in ``run()``.
    ///
    /// - Parameters:
    ///   - address: nil if there is no system bus.
    ///   - loop: The loop on which the connection runs.
    package init(_ address: BusAddress?, loop: any BusLoop = PollLoop.shared, logger: Logger) {
        self.address = address
        self.loop = loop
        self.logger = logger
    }

    /// Connects, and keeps the connection until it ends or the task is cancelled. It does not reconnect: a restart of
    /// the system bus ends the session.
    package func run() async {
        let bus = await open()
        state = bus.map(State.open) ?? .missing
        waiters.wakeAll()
        guard let bus else { return }
        do { try await bus.run() } catch {
            logger.warning("lost the system bus; sleep and network changes are no longer reported")
        }
        state = .missing
    }

    /// Waits for ``run()`` to connect. Returns nil if there is no connection or the task is cancelled.
    package var bus: Bus? {
        get async {
            if case .unopened = state { await waiters.add().wait() }
            if case .open(let bus) = state { return bus }
            return nil
        }
    }

    private func open() async -> Bus? {
        guard let address else { return nil }
        do { return try await Bus.connect(to: address, loop: loop) } catch {
            logger.info(
                "no system bus; sleep and network changes are not reported",
                metadata: ["reason": "\(error.message)"]
            )
            return nil
        }
    }
}
