import Foundation
import SuprSend
import Testing

/// Values that an app creates itself: for the preview of a view, and for its own tests.
@Suite struct PublicInitializerTests {
    @Test("A feed's contents can be created without a service") func contents() {
        let created = Date(timeIntervalSince1970: 1_700_000_000)
        let notification = FeedNotification(
            id: "n1",
            category: "builds",
            message: .init(
                header: "Build failed",
                text: "main",
                subtext: .init(text: "CI"),
                avatar: .init(url: "https://example.com/a.png"),
                actions: [.init(name: "Log", url: "https://example.com/log")]
            ),
            createdOn: created,
            seenOn: created
        )
        #expect(notification.createdOn == created && notification.isSeen && !notification.isRead)
        let data = FeedData(notifications: [notification], meta: .init(badge: 1, stores: ["all": 2]))
        #expect(data.pageInfo == .init(total: 1) && data.status == .success && data.store == .default)
        #expect(FeedData() == FeedData(notifications: []))
        #expect(NotificationStore.Query(read: false).matches(notification))
    }

    @Test("Preferences can be created without a service") func preferences() {
        let category = PreferenceCategory(
            name: "Builds",
            slug: "builds",
            preference: .optIn,
            channels: [.init(channel: "inbox", preference: .optOut)],
            digestSchedule: .init(id: "daily", frequency: .daily, time: .init(isEditable: true, value: "09:00")),
            properties: [.init(key: "branch", value: "main", choices: [.init(label: "Main", value: "main")])]
        )
        let data = PreferenceData(
            sections: [.init(name: "CI", categories: [category])],
            channelPreferences: [.init(channel: "inbox", isRestricted: true)]
        )
        #expect(data.category("builds") == category && data.channel("inbox")?.level == .required)
        #expect(CategoryPage(categories: [category]).count == nil)
    }
}
