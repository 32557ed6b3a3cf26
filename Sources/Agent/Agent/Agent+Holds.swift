import AgentInterface
import Basics
import DBus
import Inbox
import Logging
import ProgramKit

/// Whether the user paused popups, and until when.
struct Pause: Equatable, Sendable {
    var isOn = false
    /// nil: until the user resumes popups.
    var until: Timestamp?
}

extension PopupHolds.Reason {
    /// The reason's name on the bus.
    var name: String {
        switch self {
        case .pause: "pause"
        case .quiet: "quiet"
        case .doNotDisturb: "do-not-disturb"
        case .locked: "locked"
        }
    }
}

/// The reasons to suppress popups.
extension Agent {
    /// Follows everything that suppresses popups or hides their text, until the task is cancelled: the pause, quiet
    /// hours, the desktop's do-not-disturb mode and its screen lock.
    func runHoldSources() async {
        await updateQuietHours()
        await withDiscardingTaskGroup { group in
            let clock = environment.clock
            group.addTask { await self.endOfPause.run(clock: clock) { await self.updatePause() } }
            group.addTask { await self.endOfRule.run(clock: clock) { await self.updateRules() } }
            group.addTask { await self.quietHoursTimer.run(clock: clock) { await self.updateQuietHours() } }
            group.addTask {
                let source = DoNotDisturb(bus: self.bus, logger: self.logger)
                await source.run { state in
                    await self.hold(.doNotDisturb, isOn: state != .off, exceptCritical: state == .exceptCritical)
                } serverKnown: { owner in
                    await self.popups.quietStateBecameKnown(of: owner)
                }
            }
            group.addTask {
                let lock = ScreenLock(systemBus: self.systemBus, sessionBus: self.bus, logger: self.logger)
                await lock.run { await self.setLocked($0) }
            }
        }
    }

    /// Starts or ends one of the reasons to suppress popups.
    func hold(_ reason: PopupHolds.Reason, isOn: Bool, exceptCritical: Bool = false) async {
        var holds = holds
        if isOn { holds.begin(reason, exceptCritical: exceptCritical) } else { holds.end(reason) }
        guard holds != self.holds else { return }
        self.holds = holds
        popups.post(
            isOn ? .held(reason, exceptCritical: exceptCritical) : .released(reason, now: environment.now())
        )
        if holds.reasons.isEmpty {
            logger.info("popups are shown again")
        } else {
            logger.info("popups are held back", metadata: ["reasons": "\(holds.reasons.map(\.name).sorted())"])
        }
        publish()
    }

    private func setLocked(_ isLocked: Bool) async {
        self.isLocked = isLocked
        popups.post(.locked(isLocked))
        await updateLockHold()
    }

    /// Suppresses popups while the session is locked, if the configuration says so.
    func updateLockHold() async { await hold(.locked, isOn: isLocked && configuration.popups.locked == .hold) }

    func pause(until milliseconds: Int64) async throws(DBusError) {
        let until = milliseconds == 0 ? nil : Timestamp(milliseconds: milliseconds)
        if let until, until <= environment.now() {
            throw DBusError(
                .invalidArgs,
                "The end of the pause is in the past. Pass milliseconds since the Unix epoch, or 0."
            )
        }
        pause = Pause(isOn: true, until: until)
        await hold(.pause, isOn: true)
        await updatePause()
        publish()
        await savePause()
    }

    /// Continues the pause of the previous run, unless its end has passed.
    func restorePause() async {
        // The user was faster.
        guard !pause.isOn else { return await savePause() }
        let restored = await pauseStorage.load()
        guard restored.isOn, !pause.isOn else { return }
        if let end = restored.until, end <= environment.now() { return await savePause() }
        pause = restored
        await hold(.pause, isOn: true)
        await updatePause()
    }

    /// Records the pause. Not before this agent has the state file, which another one may still use.
    private func savePause() async {
        guard ownsState else { return }
        var saved: Pause?
        // Another change may be written at the same time, before or after this one.
        while saved != pause {
            saved = pause
            await pauseStorage.save(pause)
        }
    }

    private var pauseStorage: PauseStorage { PauseStorage(store: store, logger: logger) }

    func resume() async {
        guard pause.isOn else { return }
        pause = Pause()
        endOfPause.set(after: nil)
        await hold(.pause, isOn: false)
        await savePause()
    }

    /// Ends the pause if its time is over, otherwise schedules the next check for its end.
    func updatePause() async {
        guard let until = pause.until else { return endOfPause.set(after: nil) }
        let now = environment.now()
        if until <= now { return await resume() }
        endOfPause.set(after: now.duration(to: until))
    }

    /// Starts or ends quiet hours according to the local time, and schedules the next check for the next transition.
    func updateQuietHours() async {
        let now = environment.now()
        let quiet = configuration.quiet
        await hold(
            .quiet,
            isOn: quiet?.hours.contains(environment.localTime(now)) ?? false,
            exceptCritical: quiet?.letsCriticalThrough ?? false
        )
        let next = quiet?.hours.nextTransition(after: now, localTime: environment.localTime)
        quietHoursTimer.set(after: next.map(now.duration))
    }

    /// Follows the time zone until the task is cancelled.
    func followTimeZone() async {
        let watch = FileWatch(paths: [environment.timeZoneFile], loop: bus.loop)
        let isWatched = await watch.run(
            started: { await self.updateQuietHours() },
            changed: { await self.clockChanged() }
        )
        if !isWatched {
            logger.warning("changes of the time zone are not noticed: the limit of inotify(7) is reached")
        }
    }

    /// Rechecks everything that depends on the wall clock or the time zone, after one of them was set or the host was
    /// suspended.
    func clockChanged() async {
        await updatePause()
        await updateQuietHours()
        updateRules()
        for account in accounts { await account.session.updateSnoozeTimer() }
        popups.post(.fired(.expiry, now: environment.now()))
        // The menu of the tray icon shows the end of the pause.
        presenceChanged()
    }
}
