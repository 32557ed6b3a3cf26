// The names of the service's SDK for iOS, so that the compiler names their successors (FromTheIOSSDK.md). Those that a
// program is likely to use for something of its own, such as User, are in that article only.

/// Its name here: ``StoreChange``.
@available(*, unavailable, renamed: "StoreChange")
public typealias NotificationStoreContentObserver = StoreChange
/// Its name here: ``CountChange``.
@available(*, unavailable, renamed: "CountChange")
public typealias NotificationStoreCountObserver = CountChange
/// Its name here: ``StoreContents``.
@available(*, unavailable, renamed: "StoreContents")
public typealias NotificationStorePublisher = StoreContents
/// Its name here: ``NotificationPreferences``.
@available(*, unavailable, renamed: "NotificationPreferences")
public typealias UserPreferences = NotificationPreferences

extension Bool {
    /// Unread is false of ``StorePredicate/read``.
    @available(*, unavailable, message: "Write read: false.")
    public static var unread: Bool { fatalError() }
}

extension MagicBellClient {
    /// Its name here: ``init(apiKey:hmacSecret:hosts:app:pageSize:logLevel:logger:)``.
    @available(*, unavailable, message: "Use hmacSecret: on a server, and in an app hmac: of connectUser.")
    public convenience init(apiKey: String, apiSecret: String, enableHMAC: Bool = false) { fatalError() }

    /// Its name here: ``connectUser(externalID:hmac:)``.
    @available(*, unavailable, renamed: "connectUser(externalID:hmac:)")
    public func connectUser(externalId: String, hmac: String? = nil) -> MagicBellUser { fatalError() }

    /// Its name here: ``connectUser(email:externalID:hmac:)``.
    @available(*, unavailable, renamed: "connectUser(email:externalID:hmac:)")
    public func connectUser(email: String, externalId: String, hmac: String? = nil) -> MagicBellUser { fatalError() }

    /// Its name here: ``disconnectUser(externalID:)``.
    @available(*, unavailable, renamed: "disconnectUser(externalID:)")
    public func disconnectUser(externalId: String) {}

    /// Its name here: ``disconnectUser(email:externalID:)``.
    @available(*, unavailable, renamed: "disconnectUser(email:externalID:)")
    public func disconnectUser(email: String, externalId: String) {}

    /// Its name here: ``setDeviceToken(_:environment:appID:)``.
    @available(*, unavailable, renamed: "setDeviceToken(_:environment:appID:)")
    public func setDeviceToken(deviceToken: Any) {}
}

extension Stores {
    /// Its name here: ``build(read:seen:archived:categories:topics:)``.
    @available(*, unavailable, message: "Use build(categories: [category]).")
    public func build(category: String) -> NotificationStore { fatalError() }

    /// Its name here: ``build(read:seen:archived:categories:topics:)``.
    @available(*, unavailable, message: "Use build(topics: [topic]).")
    public func build(topic: String) -> NotificationStore { fatalError() }

    /// Its name here: ``dispose(predicate:)``.
    @available(*, unavailable, renamed: "dispose(predicate:)")
    public func dispose(with predicate: StorePredicate) {}
}

extension NotificationStore {
    /// Its name here: ``fetch()``.
    @available(*, unavailable, message: "Use try await fetch(), which returns the notifications or throws.")
    public func fetch(completion: (Result<[InboxNotification], any Error>) -> Void) {}

    /// Its name here: ``changes()``.
    @available(*, unavailable, message: "Read changes(); it ends with the task that reads it.")
    public func addContentObserver(_ observer: Any) {}

    /// Its name here: ``changes()``.
    @available(*, unavailable, message: "Read changes(); it ends with the task that reads it.")
    public func removeContentObserver(_ observer: Any) {}

    /// Its name here: ``counts()``.
    @available(*, unavailable, message: "Read counts(); it ends with the task that reads it.")
    public func addCountObserver(_ observer: Any) {}

    /// Its name here: ``counts()``.
    @available(*, unavailable, message: "Read counts(); it ends with the task that reads it.")
    public func removeCountObserver(_ observer: Any) {}
}
