// Shows a user's notifications and badge at once, as they were when it last ran, and then what has changed.
//
//     SUPRSEND_PUBLIC_KEY=SS.PUBK.… SUPRSEND_USER=anna@example.com [SUPRSEND_TOKEN=…] [SUPRSEND_URL=http://…]
//     kept-feed DIRECTORY
import Foundation
import SuprSend

@main struct KeptFeed {
    static func main() async {
        let environment = ProcessInfo.processInfo.environment
        guard let key = environment["SUPRSEND_PUBLIC_KEY"], let user = environment["SUPRSEND_USER"],
            CommandLine.arguments.count == 2
        else {
            print("Set SUPRSEND_PUBLIC_KEY and SUPRSEND_USER, and name a directory.")
            exit(64)
        }
        let hosts = environment["SUPRSEND_URL"].map { Hosts(hub: $0, api: $0, socket: $0) } ?? Hosts()
        let storage = FileStorage(directory: URL(filePath: CommandLine.arguments[1]))
        do {
            let client = try SuprSendClient(publicKey: key, hosts: hosts, storage: storage)
            try await client.identify(user, userToken: environment["SUPRSEND_TOKEN"], createUser: false)
            let feed = try await client.feeds.initialize(keptIn: storage)
            // Nothing was requested yet.
            show(await feed.data, "as of the last time")
            let updates = await feed.events()
            await withDiscardingTaskGroup { group in
                group.addTask { await feed.run() }
                for await event in updates {
                    if case .storeUpdate(let data) = event { show(data, "now") }
                }
            }
        } catch {
            say("\(error)")
            exit(1)
        }
    }

    private static func show(_ data: FeedData, _ time: String) {
        let titles = data.notifications.map { $0.message.header ?? $0.message.text }
        say("\(time): badge \(data.meta.badge); \(titles.joined(separator: ", "))")
    }

    /// Prints a line at once, also into a pipe. Ends the program if the pipe has no reader any more.
    private static func say(_ line: String) {
        do { try FileHandle.standardOutput.write(contentsOf: Data((line + "\n").utf8)) } catch { exit(0) }
    }
}
