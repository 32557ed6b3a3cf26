import DBus
import Desktop
import Inbox

extension NotificationServer {
    /// Closes a popup, so that it also disappears from the screen. Errors are ignored.
    ///
    /// - Parameter quirks: Those of the server.
    func close(_ id: UInt32, on owner: BusName, quirks: ServerQuirks) async {
        if quirks.leavesClosed {
            let ending = DesktopNotification(appName: "Feedbell", summary: "", body: "", expireTimeout: 1)
            _ = try? await notify(ending, replacing: id, on: owner)
        }
        await close(id, on: owner)
    }
}
