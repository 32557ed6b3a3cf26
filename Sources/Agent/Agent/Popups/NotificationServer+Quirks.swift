import DBus
import Inbox

extension NotificationServer {
    /// Closes a popup, so that it also disappears from the screen. Errors are ignored.
    ///
    /// - Parameter quirks: Those of the server.
    func close(_ id: UInt32, on owner: BusName, quirks: ServerQuirks) async {
        guard quirks.leavesClosed else { return await close(id, on: owner) }
        let ending = DesktopNotification(appName: "Feedbell", summary: "", body: "", expireTimeout: 1)
        // In the place of a popup that has ended, such as one that was clicked, the server has made another one.
        await close((try? await notify(ending, replacing: id, on: owner)) ?? id, on: owner)
    }
}
