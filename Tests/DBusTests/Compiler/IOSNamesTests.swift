import FoundationEssentials
import Subprocess
import TestSupport
import Testing

/// Programs that were written for the SDKs of the services for iOS.
@Suite(.timeLimit(.minutes(5))) struct IOSNamesTests {
    /// With the modules of C of all packages, as the package manager passes them.
    private static let typecheck = """
        build=$1 root=$2
        set --
        for map in "$root"/.build/checkouts/*/Sources/*/include/module.modulemap "$build"/*.build/module.modulemap \\
            "$root"/Sources/*/*/module.modulemap; do
            set -- "$@" -Xcc "-fmodule-map-file=$map"
        done
        for directory in "$root"/.build/checkouts/*/Sources/*/include; do set -- "$@" -Xcc "-I$directory"; done
        exec swiftc -typecheck -swift-version 6 -I "$build/Modules" "$@" "$0"
        """

    @Test(
        "The compiler names the successor of each name of the SDKs for iOS",
        arguments: [
            (
                "SuprSend",
                [
                    "SuprSend.shared.configure(publicKey: \"k\")": "Create a SuprSendClient",
                    "client.identify(distinctID: \"anna\", userToken: nil)": "identify(_:userToken:)",
                    "client.changeTenant(tenantId: \"t\")": "changeTenant(_:)",
                    "client.track(event: \"e\")": "track(_:properties:)", "_ = client.emitter": "Read the events()",
                    "client.enableLogging()": "logLevel", "feed.initializeSocketConnection()": "run()",
                    "_ = feed.emitter": "events()", "feed.fetchDetails(notificationId: \"n\")": "fetchDetails(_:)",
                    "feed.changeActiveStore(storeId: \"s\")": "changeActiveStore(_:)", "_ = row.n_id": "'id'",
                    "_ = row.created_on": "createdOn", "let a: IFeedData": "FeedData",
                    "let b: IStore": "NotificationStore",
                    "let c: IRemoteNotification": "FeedNotification", "let d: PreferenceOptions": "PreferenceOption",
                    "let e: WeekDay": "DigestSchedule.Weekday", "let f: PropertyValue": "JSONValue",
                    "let g: InboxEmitterEvents": "FeedEvent", "let h: APIResponse": "throws a SuprSendError",
                    "let i: Preferences.Args": "PreferenceArgs", "_ = feed.data.apiStatus": "status",
                    "_ = client.feeds.initialize(options: nil)": "initialize(_:)",
                    "_ = FeedOptions(tenantId: \"t\")": "init(tenantID:",
                ]
            ),
            (
                "MagicBell",
                [
                    "_ = bell.connectUser(externalId: \"u\")": "connectUser(externalID:hmac:)",
                    "bell.disconnectUser(externalId: \"u\")": "disconnectUser(externalID:)",
                    "bell.setDeviceToken(deviceToken: 1)": "setDeviceToken(_:environment:appID:)",
                    "_ = stores.build(category: \"ci\")": "build(categories:",
                    "store.addContentObserver(1)": "changes()",
                    "store.addCountObserver(1)": "counts()", "let a: NotificationStorePublisher": "StoreContents",
                    "let b: UserPreferences": "NotificationPreferences", "store.fetch { result in }": "await fetch()",
                    "_ = StorePredicate(read: .unread)": "read: false",
                    "_ = try stores.build(read: .unread)": "read: false",
                    "_ = try MagicBellClient(apiKey: \"k\", apiSecret: \"s\")": "hmacSecret:",
                ]
            ),
        ]
    )
    func successors(library: String, lines: [String: String]) async throws {
        let variables =
            library == "SuprSend"
            ? "client: SuprSendClient, feed: Feed, row: FeedNotification"
            : "bell: MagicBellClient, stores: Stores, store: NotificationStore"
        let code = lines.keys.sorted()
        let text = (["import \(library)", "func use(\(variables)) async {"] + code + ["}"]).joined(separator: "\n")
        let file = FileManager.default.temporaryDirectory.appending(path: "ios-names-\(UUID()).swift")
        try text.write(to: file, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(at: file) }
        let build = URL(filePath: try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
            .deletingLastPathComponent().path
        let root = Checkout.root.path
        let compilation = try await Subprocess.run(
            .name("sh"),
            arguments: ["-euc", Self.typecheck, file.path, build, root],
            output: .discarded,
            error: .string(limit: 1 << 18)
        )
        let errors = compilation.standardError.split(separator: "\n").filter { $0.contains("error: ") }
        for (index, line) in code.enumerated() {
            let place = ".swift:\(index + 3):"
            let found = errors.contains { $0.contains(place) && $0.contains(lines[line] ?? "") }
            #expect(found, "\(line): \(errors.filter { $0.contains(place) })")
        }
    }
}
