import Basics
import DBus
import Inbox
import Logging

/// The buttons of popups that are not the sender's.
extension AccountSession {
    /// Does what a button of a popup says. A failure is logged: its popup is gone.
    func press(_ action: PopupAction, on id: NotificationID) async {
        do throws(DBusError) {
            switch action {
            case .read: try await submit([.read(id)], isChecked: false)
            case .archive: try await submit([.archive(id)], isChecked: false)
            case .snooze:
                let duration = PopupAction.snoozeDuration.components.seconds * 1000
                try await snooze([id], until: environment.now().advanced(milliseconds: duration))
            // It concerns others, too: see ``Agent/mute(_:)``.
            case .mute: break
            }
        } catch {
            logger.error(
                "the button of a popup failed",
                metadata: ["button": "\(action.rawValue)", "reason": "\(error.message)"]
            )
        }
    }
}
