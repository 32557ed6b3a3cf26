import Foundation
import Testing

/// The code of the articles compiles. (That their links lead somewhere is checked by `packaging/docs`.)
@Suite("The articles of the library") struct ArticleTests {
    private static let here = URL(filePath: #filePath).deletingLastPathComponent()
    private static let root = here.appending(path: "../../..")
    private static let catalog = root.appending(path: "Sources/MagicBell/MagicBell.docc")

    private static func text(_ url: URL) throws -> String { String(decoding: try Data(contentsOf: url), as: UTF8.self) }

    /// Lines without indentation.
    private static func lines(_ text: some StringProtocol) -> [String] {
        text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    }

    @Test("Every code block of the articles is in Snippets.swift, which compiles") func codeCompiles() throws {
        let snippets = Self.lines(try Self.text(Self.here.appending(path: "Snippets.swift")))
        var count = 0
        for article in try FileManager.default.contentsOfDirectory(atPath: Self.catalog.path) {
            let text = try Self.text(Self.catalog.appending(path: article))
            for block in text.components(separatedBy: "```swift\n").dropFirst() {
                let code = Self.lines(block.components(separatedBy: "\n```")[0])
                #expect(snippets.firstRange(of: code) != nil, "\(article): not in Snippets.swift: \(code)")
                count += 1
            }
        }
        #expect(count >= 10)
    }

    @Test("The first store of the article has ten lines") func theFirstStoreHasTenLines() throws {
        let article = try Self.text(Self.catalog.appending(path: "FirstStoreInTenLines.md"))
        let first = article.components(separatedBy: "```swift\n")[1].components(separatedBy: "\n```")[0]
        #expect(Self.lines(first).count == 10)
        #expect(article.contains("let client = try MagicBellClient("))
    }

    @Test(
        "The names of the iOS SDK are in the article about it",
        arguments: [
            "connectUser", "disconnectUser", "setDeviceToken", "logLevel: .none", "baseUrl:", "User", "user.store",
            "user.preferences", "user.store.build", "build", "user.store.dispose", "StorePredicate", "read", "seen",
            "archived", "categories", "topics", "inApp", "NotificationStore", "store.predicate", "totalCount",
            "unreadCount", "unseenCount", "hasNextPage", "count", "store[index]", "notifications", "refresh", "fetch",
            "delete", "markAsRead", "markAsUnread", "archive", "unarchive", "markAllRead", "markAllSeen",
            "markAllUnseen", "didReloadStore", "didChangeHasNextPage", "NotificationStorePublisher",
            "NotificationStoreContentObserver", "NotificationStoreCountObserver", "customAttributes", "sentAt",
            "fetchPreferences", "update", "updatePreferences", "email", "mobilePush", "webPush", "slack",
        ]
    )
    func namesOfTheSDK(name: String) throws {
        let article = try Self.text(Self.catalog.appending(path: "FromTheIOSSDK.md"))
        let rows = article.split(separator: "\n").filter { $0.hasPrefix("|") }
        #expect(
            rows.contains { row in
                row.split(separator: "`").contains { $0 == name || $0.hasPrefix(name + "(") }
            }
        )
    }

    @Test("The example WatchStore has at most 65 lines") func theExampleIsShort() throws {
        let example = try Self.text(Self.root.appending(path: "Tests/Examples/WatchStore/WatchStore.swift"))
        #expect(example.split(separator: "\n", omittingEmptySubsequences: false).count <= 65)
    }
}
