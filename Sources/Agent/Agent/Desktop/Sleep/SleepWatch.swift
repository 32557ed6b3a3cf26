import Basics
package import DBus
package import Logging

/// Reports when the machine is about to sleep, in time to prepare for it, and when it is awake again.
///
/// The source is logind. Without it nothing is reported; ``ClockWatch`` detects sleeps that were not announced.
package struct SleepWatch: Sendable {
    package enum Event: Sendable, Equatable {
        /// The machine sleeps when `receive` returns, at the latest after ``timeout``.
        case goingToSleep
        case awake
    }

    /// The maximum delay of the sleep. logind waits 5 s at most (`InhibitDelayMaxSec`) for all inhibitors together.
    package static let timeout = Duration.seconds(3)

    private let bus: Bus
    private let clock: any Clock<Duration>
    private let logger: Logger

    /// - Parameters:
    ///   - bus: The system bus.
    ///   - clock: Measures ``timeout``.
    package init(bus: Bus, clock: any Clock<Duration> = ContinuousClock(), logger: Logger) {
        self.bus = bus
        self.clock = clock
        self.logger = logger
    }

    private enum Change: Sendable, Equatable {
        case appeared, vanished, sleep(Bool)
    }

    /// Runs until the task is cancelled or the bus disconnects. Events are reported one after the other.
    ///
    /// - Parameter receive: Is cancelled after ``timeout``.
    package func run(_ receive: @escaping @Sendable (Event) async -> Void) async throws(DBusError) {
        let rule = MatchRule(
            sender: LoginManager.busName,
            path: LoginManager.path,
            interface: LoginManager.name,
            member: LoginManager.prepareForSleep.name
        )
        let signals = try await bus.signals(matching: rule)
        let owners = try await bus.nameOwnerChanges(of: LoginManager.busName)
        let changes = Mailbox<Change>()
        await withDiscardingTaskGroup { group in
            group.addTask {
                for await message in signals {
                    if let start = try? LoginManager.prepareForSleep.decode(message) { changes.send(.sleep(start)) }
                }
                changes.close()
            }
            group.addTask {
                for await change in owners { changes.send(change.new == nil ? .vanished : .appeared) }
                changes.close()
            }
            await follow(changes.messages, receive)
            group.cancelAll()
        }
    }

    private func follow(
        _ changes: Mailbox<Change>.Messages,
        _ receive: @escaping @Sendable (Event) async -> Void
    ) async {
        var inhibitor = Inhibitor()
        var isAsleep = false
        for await change in changes {
            let isToSleep: Bool
            switch change {
            case .appeared: isToSleep = await isPreparing()
            // Without logind the end of an announced sleep would not be reported.
            case .vanished: isToSleep = false
            case .sleep(let start): isToSleep = start
            }
            if isToSleep != isAsleep {
                isAsleep = isToSleep
                logger.info(isAsleep ? "the machine is going to sleep" : "the machine is awake")
                if isAsleep { await prepare(receive) } else { await receive(.awake) }
            }
            if isAsleep { inhibitor.descriptor = nil } else if change != .vanished { await take(&inhibitor) }
        }
    }

    private func prepare(_ receive: @escaping @Sendable (Event) async -> Void) async {
        await withTimeLimit(Self.timeout, clock: clock) { await receive(.goingToSleep) }
    }

    // MARK: Inhibitor

    private struct Inhibitor {
        /// logind delays the sleep until it is closed.
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
                "Closing connections before sleep",
                "delay",
                autoStart: false
            )
        } catch {
            guard !inhibitor.wasRefused else { return }
            inhibitor.wasRefused = true
            logger.warning(
                "logind refuses to delay sleep; connections may break at sleep",
                metadata: ["reason": "\(error.message)"]
            )
        }
    }
}
