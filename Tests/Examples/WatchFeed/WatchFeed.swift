// Prints a user's notifications as they arrive, and marks them as seen.
//
//     SUPRSEND_PUBLIC_KEY=SS.PUBK.… SUPRSEND_USER=anna@example.com [SUPRSEND_TOKEN=…] [SUPRSEND_URL=http://…]
//     watch-feed
//
// With the simulated service, after `swift run feedbell-sandbox serve --port 8080`:
//
//     export SUPRSEND_URL=http://127.0.0.1:8080 SUPRSEND_PUBLIC_KEY=SS.PUBK.sandbox SUPRSEND_USER=user-1
//     SUPRSEND_TOKEN=$(swift run feedbell-sandbox token $SUPRSEND_URL) swift run watch-feed
import Foundation
import SuprSend

@main struct WatchFeed {
    static func main() async {
        let environment = ProcessInfo.processInfo.environment
        guard let key = environment["SUPRSEND_PUBLIC_KEY"], let user = environment["SUPRSEND_USER"] else {
            print("Set SUPRSEND_PUBLIC_KEY and SUPRSEND_USER.")
            exit(64)
        }
        let hosts = environment["SUPRSEND_URL"].map { Hosts(hub: $0, api: $0, socket: $0) } ?? Hosts()
        do {
            let client = try SuprSendClient(publicKey: key, hosts: hosts)
            try await client.identify(user, userToken: environment["SUPRSEND_TOKEN"], createUser: false)
            let feed = try client.feeds.initialize()
            let events = await feed.events()
            await withDiscardingTaskGroup { group in
                group.addTask { await feed.run() }
                for await event in events { await handle(event, of: feed) }
            }
        } catch {
            say("\(error)")
            exit(1)
        }
    }

    private static func handle(_ event: FeedEvent, of feed: Feed) async {
        switch event {
        case .newNotification(let notification, let catchUp):
            let message = notification.message
            let text = [message.header, message.text].compactMap(\.self).joined(separator: ": ")
            say("\(catchUp ? "missed" : "new"): \(text)")
            do { try await feed.markAsSeen(notification.id) } catch { say("-- not marked: \(error)") }
        case .storeUpdate(let data): say("-- badge \(data.meta.badge), \(data.pageInfo.total) in all")
        case .connection(.online): say("-- online")
        case .connection(.offline(let error?, _)): say("-- offline: \(error)")
        case .connection(.unauthorized(let error)): say("-- refused: \(error)")
        case .connection, .notificationUpdate, .allRead: break
        }
    }

    /// Prints a line at once, also into a pipe. Ends the program if the pipe has no reader any more.
    private static func say(_ line: String) {
        do { try FileHandle.standardOutput.write(contentsOf: Data((line + "\n").utf8)) } catch { exit(0) }
    }
}
