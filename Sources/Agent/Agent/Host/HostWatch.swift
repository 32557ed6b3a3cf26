import DBus
import Logging

/// Follows the host's suspends, clock changes and network state.
actor HostWatch {
    private let systemBus: SystemBus
    private let sessionBus: Bus
    private let clock: any Clock<Duration>
    private let logger: Logger
    private var state = HostPowerState(clocks: .now)

    init(systemBus: SystemBus, sessionBus: Bus, clock: any Clock<Duration>, logger: Logger) {
        self.systemBus = systemBus
        self.sessionBus = sessionBus
        self.clock = clock
        self.logger = logger
    }

    /// Runs until the task is cancelled. The host's suspend is delayed until `perform` returns, within the limit of
    /// ``SleepWatch``.
    func run(_ perform: @escaping @Sendable (HostPowerState.Effect) async -> Void) async {
        await withDiscardingTaskGroup { group in
            group.addTask {
                await ClockWatch(loop: self.sessionBus.loop).run { await self.receive(.clocksJumped, perform) }
            }
            group.addTask {
                await RouteWatch(loop: self.sessionBus.loop, clock: self.clock)
                    .run { await self.receive(.routes($0), perform) }
            }
            group.addTask {
                let bus = await self.systemBus.bus
                await withDiscardingTaskGroup { group in
                    group.addTask {
                        await NetworkWatch(systemBus: bus, sessionBus: self.sessionBus, logger: self.logger)
                            .run { await self.receive(.network($0), perform) }
                    }
                    if let bus { group.addTask { await self.watchSleep(bus, perform) } }
                }
            }
        }
    }

    private func watchSleep(_ bus: Bus, _ perform: @escaping @Sendable (HostPowerState.Effect) async -> Void) async {
        let watch = SleepWatch(bus: bus, clock: clock, logger: logger)
        do {
            try await watch.run { event in
                switch event {
                case .goingToSleep: await self.receive(.goingToSleep, perform)
                case .awake: await self.receive(.awake, perform)
                }
            }
        } catch {
            logger.debug("cannot follow suspends any longer", metadata: ["error": "\(error)"])
        }
    }

    private func receive(_ event: HostPowerState.Event, _ perform: @Sendable (HostPowerState.Effect) async -> Void)
        async
    {
        let effects = state.receive(event, at: .now)
        logger.debug("host", metadata: ["event": "\(event)", "effects": "\(effects)"])
        for effect in effects { await perform(effect) }
    }
}
