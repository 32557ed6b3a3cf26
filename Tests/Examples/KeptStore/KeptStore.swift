// Shows a user's unread notifications at once, as they were when it last ran, and then what has changed.
//
//     MAGICBELL_API_KEY=pk_… MAGICBELL_EMAIL=anna@example.com [MAGICBELL_HMAC=…] [MAGICBELL_URL=http://…]
//     kept-store DIRECTORY
import Foundation
import MagicBell

@main struct KeptStore {
    static func main() async {
        let environment = ProcessInfo.processInfo.environment
        guard let key = environment["MAGICBELL_API_KEY"], let email = environment["MAGICBELL_EMAIL"],
            CommandLine.arguments.count == 2
        else {
            print("Set MAGICBELL_API_KEY and MAGICBELL_EMAIL, and name a directory.")
            exit(64)
        }
        let storage = FileStorage(directory: URL(filePath: CommandLine.arguments[1]))
        do {
            let client = try MagicBellClient(apiKey: key, hosts: Hosts(api: environment["MAGICBELL_URL"]))
            let user = try client.connectUser(email: email, hmac: environment["MAGICBELL_HMAC"])
            let store = try await user.store.build(predicate: StorePredicate(read: false), keptIn: storage)
            // Nothing was requested yet.
            show(store.contents, "as of the last time")
            try await store.fetch()
            show(store.contents, "now")
            await client.shutdown()
        } catch {
            say("\(error)")
            exit(1)
        }
    }

    private static func show(_ contents: StoreContents, _ time: String) {
        say("\(time): \(contents.unreadCount) unread; \(contents.map(\.title).joined(separator: ", "))")
    }

    /// Prints a line at once, also into a pipe. Ends the program if the pipe has no reader any more.
    private static func say(_ line: String) {
        do { try FileHandle.standardOutput.write(contentsOf: Data((line + "\n").utf8)) } catch { exit(0) }
    }
}
