import TestSupport
import Testing

/// The code of the articles compiles. (That their links lead somewhere is checked by `packaging/build/docs`.)
@Suite("The articles of the library") struct ArticleTests {
    private let articles = LibraryArticles(of: "MagicBell")

    @Test("Every code block of the articles is in Snippets.swift, which compiles") func codeCompiles() throws {
        for block in try articles.uncompiled {
            Issue.record("\(block.article): not in Snippets.swift: \(block.lines)")
        }
        #expect(try articles.code.count >= 10)
    }

    @Test("The first store of the article has ten lines") func theFirstStoreHasTenLines() throws {
        let first = try #require(try articles.code.first { $0.article == "FirstStoreInTenLines.md" })
        #expect(first.lines.count == 10)
        #expect(first.lines.contains { $0.hasPrefix("let client = try MagicBellClient(") })
    }

    @Test(
        "The names of the iOS SDK are in the article about it",
        arguments: [
            "connectUser", "disconnectUser", "setDeviceToken", "logLevel: .none", "baseUrl:", "User", "user.store",
            "user.preferences", "user.store.build", "build", "build(category:)", "build(topic:)", "user.store.dispose",
            "StorePredicate", "read", "seen",
            "archived", "categories", "topics", "inApp", "NotificationStore", "store.predicate", "totalCount",
            "unreadCount", "unseenCount", "hasNextPage", "count", "store[index]", "notifications", "refresh", "fetch",
            "delete", "markAsRead", "markAsUnread", "archive", "unarchive", "markAllRead", "markAllSeen",
            "markAllUnseen", "didReloadStore", "didChangeHasNextPage", "NotificationStorePublisher",
            "NotificationStoreContentObserver", "NotificationStoreCountObserver", "customAttributes", "sentAt",
            "UserPreferences", "fetchPreferences", "update", "updatePreferences", "email", "mobilePush", "webPush",
            "slack",
        ]
    )
    func namesOfTheSDK(name: String) throws {
        #expect(try articles.hasRow(naming: name, in: "FromTheIOSSDK.md"))
    }

    @Test("The example WatchStore has at most 65 lines") func theExampleIsShort() throws {
        #expect(try LibraryArticles.lineCount(ofExample: "WatchStore") <= 65)
    }
}
