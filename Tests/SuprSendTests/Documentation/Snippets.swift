import Foundation
import SuprSend

// The code of the library's articles, so that it compiles: a test compares them. Without `@testable`, as an app sees
// it.

func firstFeed(fetchToken: @escaping @Sendable () async throws -> String) async throws {
    let client = try SuprSendClient(publicKey: "SS.PUBK.…")
    try await client.identify("anna@example.com", createUser: false, refreshUserToken: { _ in try await fetchToken() })
    let feed = try client.feeds.initialize()
    let events = await feed.events()
    await withDiscardingTaskGroup { group in
        group.addTask { await feed.run() }
        for await case .newNotification(let notification, _) in events {
            print(notification.message.header ?? "", notification.message.text)
        }
    }
}

func everyEvent(of feed: Feed) async {
    for await event in await feed.events() {
        switch event {
        case .storeUpdate(let data):
            print("\(data.meta.badge) new, \(data.notifications.count) shown of \(data.pageInfo.total)")
        case .newNotification(let notification, let catchUp):
            print(catchUp ? "while offline:" : "new:", notification.message.text)
        case .connection(.unauthorized(let error)):
            print("Please sign in again: \(error)")
        case .connection, .notificationUpdate, .allRead:
            break
        }
    }
}

func tabs(of client: SuprSendClient) async throws {
    let unread = NotificationStore(id: "unread", label: "Unread", query: .init(read: false))
    let archive = NotificationStore(id: "archive", label: "Archive", query: .init(archived: true))
    let feed = try client.feeds.initialize(FeedOptions(pageSize: 50, stores: [unread, archive]))
    try await feed.fetch()
    try await feed.changeActiveStore("archive")
}

func acting(on notification: FeedNotification, in feed: Feed) async {
    do throws(SuprSendError) {
        try await feed.markAsInteracted(notification.id)
    } catch {
        print(error.isRetryable ? "Not now: \(error)" : "Refused: \(error)")
    }
}

func reading(with client: SuprSendClient) async throws {
    let preferences = try await client.preferences.getPreferences()
    for section in preferences.sections ?? [] {
        print(section.name ?? "General")
        for category in section.categories {
            print("  \(category.name): \(category.preference == .optIn ? "on" : "off")")
        }
    }
}

func changing(with client: SuprSendClient) async throws {
    try await client.preferences.updateCategoryPreference(category: "refund-news", preference: .optOut)
    try await client.preferences.updateChannelPreferenceInCategory(
        channel: "inbox",
        preference: .optIn,
        category: "refund-news"
    )
    try await client.preferences.updateOverallChannelPreference(channel: "email", preference: .required)
    try await client.preferences.flush()
}

func listening(with client: SuprSendClient, show: (PreferenceData) -> Void) async {
    for await event in await client.preferences.events() {
        switch event {
        case .preferencesUpdated(let data): show(data)
        case .preferencesError(let error, _): print("Not changed: \(error)")
        }
    }
}

func keptFeed(with client: SuprSendClient, in directory: URL, show: (FeedData) -> Void) async throws {
    let storage = FileStorage(directory: directory)
    let kept = try await client.feeds.initialize(keptIn: storage)
    show(await kept.data)
}
