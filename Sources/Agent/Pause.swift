import AgentInterface
import DBus
import Inbox
import Logging

/// Whether the person holds popups back, and until when.
struct Pause: Equatable, Sendable {
    var isOn = false
    /// `nil`: until it is ended.
    var until: Timestamp?
}

extension Agent {
    func pause(until milliseconds: Int64) async throws(DBusError) {
        let now = surroundings.now()
        let until = milliseconds == 0 ? nil : Timestamp(milliseconds: milliseconds)
        if let until, until <= now {
            throw DBusError(
                .invalidArgs,
                "The time to pause until is past. Give milliseconds since the Unix epoch, or 0."
            )
        }
        pause = Pause(isOn: true, until: until)
        await endOfPause.set(after: until.map(now.duration))
        popups.post(.held(.pause, exceptCritical: false))
        await publish()
    }

    func resume() async {
        guard pause.isOn else { return }
        pause = Pause()
        await endOfPause.set(after: nil)
        popups.post(.released(.pause, now: surroundings.now()))
        await publish()
    }

    /// Begins and ends quiet hours as the clock on the wall says.
    func lookAtQuietHours() async {
        let now = surroundings.now()
        let hours = configuration.quiet
        let isQuiet = hours?.contains(surroundings.localTime(now)) ?? false
        if isQuiet {
            popups.post(.held(.quiet, exceptCritical: hours?.letsCriticalThrough ?? false))
        } else if self.isQuiet {
            popups.post(.released(.quiet, now: now))
        }
        if isQuiet != self.isQuiet { logger.info("quiet hours", metadata: ["quiet": "\(isQuiet)"]) }
        self.isQuiet = isQuiet
        let next = hours?.nextLook(after: now, localTime: surroundings.localTime)
        await nextLookAtQuietHours.set(after: next.map(now.duration))
    }
}
