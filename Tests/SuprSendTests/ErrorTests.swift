import Foundation
import TestSupport
import Testing

@testable import SuprSend

@Suite struct ErrorTests {
    @Test("An app that shows localizedDescription shows the error's sentence")
    func localizedDescription() throws {
        let client = try SuprSendClient.test()
        let error: any Error = try #require(throws: SuprSendError.self) {
            try client.feeds.initialize(FeedOptions(pageSize: 0))
        }
        #expect(error.localizedDescription == "The page size 0 is outside 1 to 100.")
        #expect(error.localizedDescription == "\(error)")
    }

    @Test("An invalid address is named in the error, and truncated when it is long")
    func addresses() {
        let email = #expect(throws: SuprSendError.self) { try ChannelAddress.email("anna@home") }
        #expect(email?.message.hasPrefix("\"anna@home\" is not an email address") == true)
        let long = #expect(throws: SuprSendError.self) {
            try ChannelAddress.email(String(repeating: "a", count: 1_000_000))
        }
        #expect((long?.message.count ?? .max) < 300)
    }

    /// Users look the messages of the service's own clients up in the article.
    @Test(
        "Each sentence of the iOS SDK's errors is in the article's table",
        arguments: [
            "User isn't authenticated. Call identify method before performing any action",
            "User already loggedin, reset current user to login new user", "tenantId is missing or invalid",
            "provided email is invalid", "provided mobile number is invalid, must be as per E.164 standard",
            "Already fetching data", "No more pages to fetch", "No store configured with storeId: X",
            "Call getPreferences method before performing action", "Sections doesn't exist", "Category not found",
            "Category preference is not editable", "Channel preference is not editable", "Category's channel not found",
            "Channel preferences doesn't exist", "Channel data not found",
        ]
    )
    func article(sentence: String) throws {
        #expect(try LibraryArticles(of: "SuprSend").text(of: "FromTheIOSSDK.md").contains("| `\(sentence)` |"))
    }
}
