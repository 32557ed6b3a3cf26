import FoundationEssentials
import MagicBell

// The code of the library's articles, so that it compiles: a test compares them. Without `@testable`, as an app sees
// it.

func firstStore() async throws {
    let client = try MagicBellClient(apiKey: "pk_…")
    let user = try client.connectUser(email: "anna@example.com")
    let unread = try user.store.build(read: false)
    await withDiscardingTaskGroup { group in
        group.addTask { await client.run() }
        for await contents in unread.updates() {
            let newest = contents.first?.title ?? "none"
            print(contents.unreadCount, "unread, the newest:", newest)
        }
    }
}

func stores(of user: MagicBellUser) throws -> [NotificationStore] {
    let inbox = try user.store.build()
    let archive = try user.store.build(archived: true)
    let builds = try user.store.build(read: false, categories: ["builds", "deployments"])
    let thread = try user.store.build(predicate: StorePredicate(topics: ["build-812"]))
    return [inbox, archive, builds, thread]
}

func loading(_ inbox: NotificationStore) async throws {
    try await inbox.fetch()
    while inbox.hasNextPage, inbox.count < 200 {
        try await inbox.fetch()
    }
    try await inbox.refresh()
    for notification in inbox {
        print(notification.title, notification.isRead ? "" : "(unread)")
    }
    print("\(inbox.totalCount) in all, \(inbox.unreadCount) unread, \(inbox.unseenCount) unseen")
}

func acting(on notification: InboxNotification, in inbox: NotificationStore) async {
    do throws(MagicBellError) {
        try await inbox.markAsRead(notification)
        try await inbox.archive(notification)
        try await inbox.markAllSeen()
    } catch {
        print(error.isRetryable ? "Not now: \(error)" : "Refused: \(error)")
    }
}

protocol ListView: AnyObject {
    var showsMoreButton: Bool { get set }
    func reload(_ contents: StoreContents)
    func insert(_ indexes: [Int], _ contents: StoreContents)
    func update(_ indexes: [Int], _ contents: StoreContents)
    func remove(_ indexes: [Int])
}

func following(_ inbox: NotificationStore, in view: any ListView) async {
    for await change in inbox.changes() {
        switch change.kind {
        case .reload: view.reload(change.contents)
        case .inserted(let indexes): view.insert(indexes, change.contents)
        case .changed(let indexes): view.update(indexes, change.contents)
        case .deleted(let indexes): view.remove(indexes)
        case .hasNextPage(let hasNextPage): view.showsMoreButton = hasNextPage
        }
    }
}

func users(of client: MagicBellClient) throws -> [MagicBellUser] {
    let byAddress = try client.connectUser(email: "anna@example.com")
    let byID = try client.connectUser(externalID: "7")
    let byBoth = try client.connectUser(email: "bert@example.com", externalID: "8")
    return [byAddress, byID, byBoth]
}

protocol Backend: Sendable {
    func hmac(of user: String) async throws -> String
    func token(replacing expired: String?) async throws -> String
}

func hmac(_ client: MagicBellClient, _ backend: any Backend) async throws -> MagicBellUser {
    let user = try client.connectUser(externalID: "7", hmac: try await backend.hmac(of: "7"))
    return user
}

func onAServer(secret: String) throws -> MagicBellClient {
    let server = try MagicBellClient(apiKey: "pk_…", hmacSecret: secret)
    return server
}

func userTokens(_ backend: any Backend) throws -> MagicBellUser {
    let client = try MagicBellClient()
    let user = try client.connectUser(externalID: "7") { expired in
        try await backend.token(replacing: expired)
    }
    return user
}

func device(_ client: MagicBellClient, token: String) async throws {
    try await client.setDeviceToken(.fcm(deviceToken: token))
}

func disconnecting(_ client: MagicBellClient) async throws {
    try await client.disconnectUser(externalID: "7")
}

protocol Keychain {
    func save(_ data: Data) throws
    func load() throws -> Data
}

protocol TokenBackend: Sendable {
    func token(of user: String, replacing expired: String?) async throws -> String
}

func ending(_ client: MagicBellClient, _ keychain: any Keychain) throws {
    let pending = client.pendingUnregistrations
    try keychain.save(JSONEncoder().encode(pending))
}

func beginning(_ client: MagicBellClient, _ keychain: any Keychain, _ backend: any TokenBackend) throws {
    let pending = try JSONDecoder().decode([PendingUnregistration].self, from: keychain.load())
    try client.unregister(pending) { user, expired in
        try await backend.token(of: user.identifier, replacing: expired)
    }
}

func tokens(of user: MagicBellUser) async throws {
    try await user.pushTokens.register(.slackWebhook(url: "https://hooks.slack.com/services/…"))
    for token in try await user.pushTokens.fetch() where token.discarded == nil {
        print(token.kind, token.created?.description ?? "")
        if token.kind == .slack { try await user.pushTokens.delete(token) }
    }
}

func topics(of user: MagicBellUser) async throws {
    try await user.subscriptions.subscribe(to: "build-812", categories: ["builds"], reason: "author")
    try await user.subscriptions.unsubscribe(from: "build-812")
}

func preferences(of user: MagicBellUser) async throws {
    let preferences = try await user.preferences.fetch()
    for category in preferences.categories {
        print(category.label, category.channels.filter(\.isEnabled).map(\.label))
    }
    var change = NotificationPreferences.Category(slug: "builds")
    change.email = false
    change.inApp = true
    try await user.preferences.update(NotificationPreferences(categories: [change]))
}

func keptStore(of user: MagicBellUser, in directory: URL, show: (StoreContents) -> Void) async throws {
    let storage = FileStorage(directory: directory)
    let unread = try await user.store.build(predicate: StorePredicate(read: false), keptIn: storage)
    show(unread.contents)
}
