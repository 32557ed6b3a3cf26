// Prints a user's unread notifications as they arrive.
//
//     MAGICBELL_API_KEY=pk_… MAGICBELL_EMAIL=anna@example.com [MAGICBELL_HMAC=…] [MAGICBELL_URL=http://…]
//     [MAGICBELL_SOCKET_URL=ws://…] [MAGICBELL_ABLY_REST_URL=…] [MAGICBELL_ABLY_REALTIME_URL=…] watch-store
import Foundation
import MagicBell

@main struct WatchStore {
    static func main() async {
        let environment = ProcessInfo.processInfo.environment
        guard let key = environment["MAGICBELL_API_KEY"], let email = environment["MAGICBELL_EMAIL"] else {
            print("Set MAGICBELL_API_KEY and MAGICBELL_EMAIL.")
            exit(64)
        }
        let hosts = Hosts(
            api: environment["MAGICBELL_URL"],
            ablyREST: environment["MAGICBELL_ABLY_REST_URL"],
            ablyRealtime: environment["MAGICBELL_ABLY_REALTIME_URL"],
            socket: environment["MAGICBELL_SOCKET_URL"]
        )
        do {
            let client = try MagicBellClient(apiKey: key, hosts: hosts)
            let user = try client.connectUser(email: email, hmac: environment["MAGICBELL_HMAC"])
            let store = try user.store.build(read: false)
            let changes = store.changes()
            try await store.fetch()
            await withDiscardingTaskGroup { group in
                group.addTask { await client.run() }
                group.addTask { await showConnection(of: user) }
                for await change in changes { show(change) }
            }
        } catch {
            say("\(error)")
            exit(1)
        }
    }

    private static func show(_ change: StoreChange) {
        if case .inserted(let indexes) = change.kind {
            for index in indexes { say("unread: \(change.contents[index].title)") }
        }
        say("-- \(change.contents.unreadCount) unread, \(change.contents.unseenCount) unseen")
    }

    private static func showConnection(of user: MagicBellUser) async {
        for await state in user.connectionStates() {
            switch state {
            case .online: say("-- online")
            case .offline(let error?, _), .unauthorized(let error): say("-- offline: \(error)")
            case .offline(nil, _), .connecting: break
            }
        }
    }

    /// Prints a line at once, also into a pipe. Ends the program if the pipe has no reader any more.
    private static func say(_ line: String) {
        do { try FileHandle.standardOutput.write(contentsOf: Data((line + "\n").utf8)) } catch { exit(0) }
    }
}
