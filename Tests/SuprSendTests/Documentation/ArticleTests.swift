import ClientKit
import Foundation
import Testing

/// The code of the articles compiles. (That their links lead somewhere is checked by `packaging/docs`.)
@Suite struct ArticleTests {
    private static let here = URL(filePath: #filePath).deletingLastPathComponent()
    private static let root = here.appending(path: "../../..")
    private static let catalog = root.appending(path: "Sources/SuprSend/SuprSend.docc")

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
        #expect(count >= 4)
    }

    @Test("The first feed of the article has ten lines") func theFirstFeedHasTenLines() throws {
        let article = try Self.text(Self.catalog.appending(path: "FirstFeedInTenLines.md"))
        let first = article.components(separatedBy: "```swift\n")[1].components(separatedBy: "\n```")[0]
        #expect(Self.lines(first).count == 10)
        #expect(article.contains("let client = try SuprSendClient("))
    }

    static func article(_ name: String) throws -> String { try text(catalog.appending(path: name)) }

    @Test(
        "The names of the iOS SDK are in the article about it",
        arguments: [
            "subcategories", "category", "apiStatus", "PreferenceOptions", "ChannelLevelPreferenceOptions",
            "PreferenceAPIResponse", "Preferences.Args", "IStore", "IFeedData", "IPageInfo", "IRemoteNotification",
            "IRemoteNotificationMessage", "n_id", "n_category", "created_on", "seen_on", "read_on", "interacted_on",
            "expiry", "is_expiry_visible", "archived", "is_pinned", "can_user_unpin", "tags", "header", "text",
            "extra_data", "open_in_new_tab", "IActionObject", "IAvatarObject", "ISubTextObject", "message_id",
            "FeedHost",
        ]
    )
    func namesOfTheSDK(name: String) throws {
        let rows = try Self.article("FromTheIOSSDK.md").split(separator: "\n").filter { $0.hasPrefix("|") }
        #expect(
            rows.contains { row in
                row.split(separator: "`").contains { $0 == name || $0.hasPrefix(name + "(") }
            }
        )
    }

    @Test("The example WatchFeed has at most 60 lines") func theExampleIsShort() throws {
        let example = try Self.text(Self.root.appending(path: "Tests/Examples/WatchFeed/WatchFeed.swift"))
        #expect(example.split(separator: "\n", omittingEmptySubsequences: false).count <= 60)
    }
}
