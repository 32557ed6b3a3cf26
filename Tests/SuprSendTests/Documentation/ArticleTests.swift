import TestSupport
import Testing

/// The code of the articles compiles. (That their links lead somewhere is checked by `packaging/build/docs`.)
@Suite("The articles of the library") struct ArticleTests {
    private let articles = LibraryArticles(of: "SuprSend")

    @Test("Every code block of the articles is in Snippets.swift, which compiles") func codeCompiles() throws {
        for block in try articles.uncompiled {
            Issue.record("\(block.article): not in Snippets.swift: \(block.lines)")
        }
        #expect(try articles.code.count >= 4)
    }

    @Test("The first feed of the article has ten lines") func theFirstFeedHasTenLines() throws {
        let first = try #require(try articles.code.first { $0.article == "FirstFeedInTenLines.md" })
        #expect(first.lines.count == 10)
        #expect(first.lines.contains { $0.hasPrefix("let client = try SuprSendClient(") })
        #expect(first.lines.contains { $0.contains("createUser: false") }, "without a network, identify() would throw")
    }

    @Test(
        "The names of the iOS SDK are in the article about it",
        arguments: [
            "subcategories", "category", "apiStatus", "PreferenceOptions", "ChannelLevelPreferenceOptions",
            "PreferenceAPIResponse", "Preferences.Args", "IStore", "IFeedData", "IPageInfo", "IRemoteNotification",
            "IRemoteNotificationMessage", "n_id", "n_category", "created_on", "seen_on", "read_on", "interacted_on",
            "expiry", "is_expiry_visible", "archived", "is_pinned", "can_user_unpin", "tags", "header", "text",
            "extra_data", "open_in_new_tab", "IActionObject", "IAvatarObject", "ISubTextObject", "message_id",
            "FeedHost", "UpdateCategoryDigestSchedulePayload", "UpdateCategoryPropertyPayload",
            "CategoryDigestSchedule", "CategoryProperties", "DigestFrequency", "WeekDay", "EditPolicy",
            "PropertyValue", "InboxEmitterEvents", "APIResponse", "emitter.off", "enableLogging", "setDeepLinkDelegate",
        ]
    )
    func namesOfTheSDK(name: String) throws {
        #expect(try articles.hasRow(naming: name, in: "FromTheIOSSDK.md"))
    }

    @Test("The example WatchFeed has at most 60 lines") func theExampleIsShort() throws {
        #expect(try LibraryArticles.lineCount(ofExample: "WatchFeed") <= 60)
    }
}
