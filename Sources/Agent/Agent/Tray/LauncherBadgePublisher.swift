import AgentInterface
import Basics
import DBus
import Logging

/// Sends the badge of the agent's entry in docks and task bars, as ``LauncherBadge`` decides.
actor LauncherBadgePublisher {
    static let path: ObjectPath = AgentNames.applicationPath.appending("LauncherEntry")
    private static let application = "application://\(AgentNames.applicationName).desktop"

    private let bus: Bus
    private let clock: any Clock<Duration>
    private let elapsed: @Sendable () -> Duration
    private let logger: Logger
    private let timer = RestartableTimer()
    private var badge = LauncherBadge()

    init(bus: Bus, clock: any Clock<Duration>, logger: Logger) {
        self.bus = bus
        self.clock = clock
        self.logger = logger
        elapsed = clock.stopwatch()
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor { bus.unownedExecutor }

    /// Sends badges until the task is cancelled or the bus disconnects.
    func run() async {
        do throws(DBusError) {
            var object = ExportedObject(Self.path)
            object.handle(LauncherEntry.query) { Self.arguments(await self.badge.wanted) }
            try await bus.export(object)
            let owners = try await bus.nameOwnerChanges(of: LauncherEntry.reader)
            await withDiscardingTaskGroup { group in
                group.addTask { await self.timer.run(clock: self.clock) { await self.receive(.waited) } }
                for await change in owners { receive(.reader(exists: change.new != nil)) }
                group.cancelAll()
            }
        } catch {
            logger.debug("cannot follow docks", metadata: ["reason": "\(error.message)"])
        }
    }

    func receive(_ event: LauncherBadge.Event) {
        for effect in badge.receive(event, now: elapsed()) {
            switch effect {
            case .send(let contents): send(contents)
            case .wait(let time): timer.set(after: time)
            }
        }
    }

    private func send(_ contents: LauncherBadge.Contents) {
        let (uri, properties) = Self.arguments(contents)
        bus.sendSignals(logger) { (bus) throws(DBusError) in
            try bus.emit(LauncherEntry.update, uri, properties, from: Self.path)
        }
    }

    private static func arguments(_ contents: LauncherBadge.Contents) -> (String, [String: Value]) {
        let properties: [String: Value] = [
            "count": .int64(Int64(contents.count)), "count-visible": .bool(contents.count > 0),
            "urgent": .bool(contents.isUrgent),
        ]
        return (application, properties)
    }
}
