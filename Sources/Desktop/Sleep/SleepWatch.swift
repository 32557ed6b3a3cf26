package import DBus
package import Logging

/// Tells when the machine is about to sleep, in time to prepare for it, and when it is awake again.
///
/// The source is logind, whenever it is there. Without it nothing is told; see ``ClockWatch`` for sleeps that nobody announced.
package struct SleepWatch: Sendable {
    package enum Event: Sendable, Equatable {
        /// The machine sleeps when this has been received, or after ``patience``.
        case goingToSleep
        case awake
    }

    /// How long the sleep is held up at most. logind waits for five seconds (`InhibitDelayMaxSec`), for everybody together.
    package static let patience = Duration.seconds(3)

    private let bus: Bus
    private let clock: any Clock<Duration>
    private let logger: Logger

    /// - Parameters:
    ///   - bus: The system bus.
    ///   - clock: Measures ``patience``.
    package init(bus: Bus, clock: any Clock<Duration> = ContinuousClock(), logger: Logger) {
        self.bus = bus
        self.clock = clock
        self.logger = logger
    }

    private enum News: Sendable, Equatable {
        case appeared, vanished, sleep(Bool)
    }

    /// Runs until the task is cancelled or the bus is gone. Events come one after the other.
    ///
    /// - Parameter receive: Is cancelled when ``patience`` is at its end.
    package func run(_ receive: @escaping @Sendable (Event) async -> Void) async throws(DBusError) {
        let rule = MatchRule(
            sender: LoginManager.busName,
            path: LoginManager.path,
            interface: LoginManager.name,
            member: LoginManager.prepareForSleep.name
        )
        let signals = try await bus.signals(matching: rule)
        let owners = try await bus.nameOwnerChanges(of: LoginManager.busName)
        let (news, input) = AsyncStream.makeStream(of: News.self)
        await withDiscardingTaskGroup { group in
            group.addTask {
                for await message in signals {
                    if let start = try? LoginManager.prepareForSleep.decode(message) { input.yield(.sleep(start)) }
                }
                input.finish()
            }
            group.addTask {
                for await change in owners { input.yield(change.new == nil ? .vanished : .appeared) }
                input.finish()
            }
            await follow(news, receive)
            group.cancelAll()
        }
    }

    private func follow(_ news: AsyncStream<News>, _ receive: @escaping @Sendable (Event) async -> Void) async {
        var inhibitor = Inhibitor()
        var isAsleep = false
        for await item in news {
            let isToSleep: Bool
            switch item {
            case .appeared: isToSleep = await isPreparing()
            // Nobody would tell the end of a sleep that the one who is gone has announced.
            case .vanished: isToSleep = false
            case .sleep(let start): isToSleep = start
            }
            if isToSleep != isAsleep {
                isAsleep = isToSleep
                logger.info(isAsleep ? "the machine is going to sleep" : "the machine is awake")
                if isAsleep { await prepare(receive) } else { await receive(.awake) }
            }
            if isAsleep { inhibitor.descriptor = nil } else if item != .vanished { await take(&inhibitor) }
        }
    }

    private func prepare(_ receive: @escaping @Sendable (Event) async -> Void) async {
        await withTaskGroup { group in
            group.addTask { await receive(.goingToSleep) }
            group.addTask { [clock] in try? await clock.sleep(for: Self.patience) }
            await group.next()
            group.cancelAll()
        }
    }

    // MARK: Holding it up

    private struct Inhibitor {
        /// The machine does not sleep before it is closed.
        var descriptor: UnixDescriptor?
        var wasRefused = false
    }

    private var manager: Proxy { Proxy(bus, LoginManager.busName, LoginManager.path) }

    private func isPreparing() async -> Bool {
        (try? await manager.get(LoginManager.preparingForSleep, autoStart: false)) == true
    }

    private func take(_ inhibitor: inout Inhibitor) async {
        do {
            inhibitor.descriptor = try await manager.call(
                LoginManager.inhibit,
                "sleep",
                "Feedbell",
                "Connections are closed before the machine sleeps",
                "delay",
                autoStart: false
            )
        } catch {
            guard !inhibitor.wasRefused else { return }
            inhibitor.wasRefused = true
            logger.warning(
                "logind does not let us hold up the sleep; connections may end with it",
                metadata: ["reason": "\(error.message)"]
            )
        }
    }
}
