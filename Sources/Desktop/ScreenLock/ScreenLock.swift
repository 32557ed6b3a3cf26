package import DBus
import FoundationEssentials
package import Logging

/// Whether the session is locked, so that nobody who may read its notifications sits before the screen.
///
/// It is, if logind says so (`LockedHint` of this session, which GNOME, Plasma and many lockers set), or if a screen saver of the
/// session says that it is active. One that only darkens the screen counts as well: nobody reads then.
///
/// logind's signals `Lock` and `Unlock` are not looked at: they ask for a lock, and do not tell that there is one. With a locker that
/// sets no hint, the session would stay locked for ever here. Where there is no source at all, it is never locked.
package struct ScreenLock: Sendable {
    private let systemBus: SystemBus
    private let sessionBus: Bus
    private let sessionID: String?
    private let logger: Logger

    /// - Parameters:
    ///   - sessionBus: A connection that others may use, too.
    ///   - sessionID: logind's name of this session, if it is known.
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

    /// Tells every change, until the task is cancelled or the session bus is gone. Until the first call the session is not locked.
    package func run(_ receive: (_ isLocked: Bool) async -> Void) async {
        let savers = ScreenSaver.all(sessionBus).map { AnyOf.source($0, logger) }
        await AnyOf(sources: savers + [logind]).run(receive)
    }

    private var logind: AnyOf.Source {
        { say in
            guard let bus = await systemBus.bus else { return }
            // Which session is ours can be asked only while logind is there, so the rule is for all of them.
            let news = MatchRule(
                sender: LoginManager.busName,
                pathNamespace: "/org/freedesktop/login1/session",
                interface: PropertiesInterface.name,
                member: PropertiesInterface.propertiesChanged.name,
                arg0: LoginSession.name.text
            )
            let hint = FollowedState(bus: bus, owner: LoginManager.busName, news: news) {
                try? await ownSession(bus)?.get(LoginSession.lockedHint, autoStart: false)
            }
            await AnyOf.source(hint, logger)(say)
        }
    }

    /// This session. A user service is in none; then the one at which its user sits.
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
