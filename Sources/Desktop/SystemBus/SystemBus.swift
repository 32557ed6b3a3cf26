package import DBus
package import Logging

/// The connection to the system bus, which all who need it share. Where there is none, everything goes on without.
package actor SystemBus {
    private enum State {
        case unopened, open(Bus), missing
    }

    private let address: BusAddress?
    private let logger: Logger
    private var state = State.unopened
    private var waiting: [AsyncStream<Never>.Continuation] = []

    /// Nothing happens before ``run()``.
    ///
    /// - Parameter address: nil: there is no system bus.
    package init(_ address: BusAddress?, logger: Logger) {
        self.address = address
        self.logger = logger
    }

    /// Connects, and keeps the connection until it ends or the task is cancelled. There is no second attempt: a system bus
    /// that is started anew takes the session with it.
    package func run() async {
        let bus = await open()
        state = bus.map(State.open) ?? .missing
        for waiter in waiting { waiter.finish() }
        waiting = []
        guard let bus else { return }
        do { try await bus.run() } catch {
            logger.warning("the system bus went away; sleep and network changes are no longer announced")
        }
        state = .missing
    }

    /// The connection, when ``run()`` has made it; nil when there is none, and for a task that is cancelled.
    package var bus: Bus? {
        get async {
            if case .unopened = state {
                let (opened, waiter) = AsyncStream<Never>.makeStream()
                waiting.append(waiter)
                for await _ in opened {}
            }
            if case .open(let bus) = state { return bus }
            return nil
        }
    }

    private func open() async -> Bus? {
        guard let address else { return nil }
        do { return try await Bus.connect(to: address) } catch {
            logger.info(
                "no system bus; sleep and network changes are not announced",
                metadata: ["reason": "\(error.message)"]
            )
            return nil
        }
    }
}
