package import DBus
import FoundationEssentials
package import Logging

/// Whether the session is locked, so that its user cannot read notifications.
///
/// The session is locked if logind says so (`LockedHint` of this session, which GNOME, Plasma and many lockers set), or
/// if a screen saver of the session is active. A screen saver that only blanks the screen counts as well.
///
/// logind's signals `Lock` and `Unlock` are ignored: they request a lock and do not report one. With a locker that does
/// not set the hint, the session would stay locked here indefinitely. Without any source, the session is never locked.
package struct ScreenLock: Sendable {
    private let systemBus: SystemBus
    private let sessionBus: Bus
    private let sessionID: String?
    private let logger: Logger

    /// - Parameters:
    ///   - sessionBus: A connection that may be shared.
    ///   - sessionID: logind's id of this session, if it is known.
    package init(
        systemBus: SystemBus,
        sessionBus: Bus,
        sessionID: String? = ProcessInfo.processInfo.environment["XDG_SESSION_ID"],
        logger: Logger
    ) {
        self.systemBus = systemBus
        self.sessionBus = sessionBus
        self.sessionID = sessionID
        self.logger = logger
    }

    /// Reports every change until the task is cancelled or the session bus disconnects. Until the first call the
    /// session is not locked.
    package func run(_ receive: (_ isLocked: Bool) async -> Void) async {
        let savers = ScreenSaver.all(sessionBus).map { BooleanAggregator.source($0, logger) }
        await BooleanAggregator(sources: savers + [logind]).run(receive)
    }

    private var logind: BooleanAggregator.Source {
        { report in
            guard let bus = await systemBus.bus else { return }
            // The path of our session is known only while logind runs, so the rule matches every session.
            let changes = MatchRule(
                sender: LoginManager.busName,
                pathNamespace: "/org/freedesktop/login1/session",
                interface: PropertiesInterface.name,
                member: PropertiesInterface.propertiesChanged.name,
                arg0: LoginSession.name.text
            )
            let hint = FollowedState(bus: bus, owner: LoginManager.busName, changeSignal: changes) {
                try? await ownSession(bus)?.get(LoginSession.lockedHint, autoStart: false)
            }
            await BooleanAggregator.source(hint, logger)(report)
        }
    }

    /// This session. A user service belongs to none; then the user's display session (`auto`).
    private func ownSession(_ bus: Bus) async -> Proxy? {
        let manager = Proxy(bus, LoginManager.busName, LoginManager.path)
        for id in [sessionID ?? "", "auto"] where !id.isEmpty {
            if let path = try? await manager.call(LoginManager.getSession, id, autoStart: false) {
                return Proxy(bus, LoginManager.busName, path)
            }
        }
        return nil
    }
}
