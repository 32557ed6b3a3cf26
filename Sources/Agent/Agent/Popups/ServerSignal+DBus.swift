import DBus
import Inbox

extension ServerSignal {
    /// A signal of a notification server, whose name is that of the connection on the bus. nil: another signal.
    init?(_ message: Message) throws(DBusError) {
        guard let sender = message.sender?.text else { return nil }
        if let (id, token) = try FreedesktopNotifications.activationToken.decode(message) {
            self.init(server: sender, id: id, .token(token))
        } else if let (id, key) = try FreedesktopNotifications.actionInvoked.decode(message) {
            self.init(server: sender, id: id, .action(key))
        } else if let (id, reason) = try FreedesktopNotifications.notificationClosed.decode(message) {
            self.init(server: sender, id: id, .closed(reason))
        } else {
            return nil
        }
    }
}
