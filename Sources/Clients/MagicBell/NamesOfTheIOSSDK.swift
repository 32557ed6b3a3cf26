// The names of the service's SDK for iOS, so that the compiler names their successors (FromTheIOSSDK.md). Those that a
// program is likely to use for something of its own, such as User, are in that article only.

/// Renamed to ``StoreChange``.
@available(*, unavailable, renamed: "StoreChange")
public typealias NotificationStoreContentObserver = StoreChange
/// Renamed to ``CountChange``.
@available(*, unavailable, renamed: "CountChange")
public typealias NotificationStoreCountObserver = CountChange
/// Renamed to ``StoreContents``.
@available(*, unavailable, renamed: "StoreContents")
public typealias NotificationStorePublisher = StoreContents
/// Renamed to ``NotificationPreferences``.
@available(*, unavailable, renamed: "NotificationPreferences")
public typealias UserPreferences = NotificationPreferences

extension Bool {
    /// Unread is false of ``StorePredicate/read``.
    @available(*, unavailable, message: "Write read: false.")
    public static var unread: Bool { fatalError() }
}

extension MagicBellClient {
    /// Renamed to ``init(apiKey:hmacSecret:hosts:app:pageSize:logLevel:logger:)``.
    @available(*, unavailable, message: "Use hmacSecret: on a server, and in an app hmac: of connectUser.")
    public convenience init(apiKey: String, apiSecret: String, enableHMAC: Bool = false) { fatalError() }

    /// Renamed to ``connectUser(externalID:hmac:)``.
    @available(*, unavailable, renamed: "connectUser(externalID:hmac:)")
    public func connectUser(externalId: String, hmac: String? = nil) -> MagicBellUser { fatalError() }

    /// Renamed to ``connectUser(email:externalID:hmac:)``.
    @available(*, unavailable, renamed: "connectUser(email:externalID:hmac:)")
    public func connectUser(email: String, externalId: String, hmac: String? = nil) -> MagicBellUser { fatalError() }

    /// Renamed to ``disconnectUser(externalID:)``.
    @available(*, unavailable, renamed: "disconnectUser(externalID:)")
    public func disconnectUser(externalId: String) {}

    /// Renamed to ``disconnectUser(email:externalID:)``.
    @available(*, unavailable, renamed: "disconnectUser(email:externalID:)")
    public func disconnectUser(email: String, externalId: String) {}

    /// Renamed to ``setDeviceToken(_:environment:appID:)``.
    @available(*, unavailable, renamed: "setDeviceToken(_:environment:appID:)")
    public func setDeviceToken(deviceToken: Any) {}
}

extension Stores {
    /// Renamed to ``build(read:seen:archived:categories:topics:)``.
    @available(*, unavailable, message: "Use build(categories: [category]).")
    public func build(category: String) -> NotificationStore { fatalError() }

    /// Renamed to ``build(read:seen:archived:categories:topics:)``.
    @available(*, unavailable, message: "Use build(topics: [topic]).")
    public func build(topic: String) -> NotificationStore { fatalError() }

    /// Renamed to ``dispose(predicate:)``.
    @available(*, unavailable, renamed: "dispose(predicate:)")
    public func dispose(with predicate: StorePredicate) {}
}

extension NotificationStore {
    /// Renamed to ``fetch()``.
    @available(*, unavailable, message: "Use try await fetch(), which returns the notifications or throws.")
    public func fetch(completion: (Result<[InboxNotification], any Error>) -> Void) {}

    /// Renamed to ``changes()``.
    @available(*, unavailable, message: "Read changes(); it ends with the task that reads it.")
    public func addContentObserver(_ observer: Any) {}

    /// Renamed to ``changes()``.
    @available(*, unavailable, message: "Read changes(); it ends with the task that reads it.")
    public func removeContentObserver(_ observer: Any) {}

    /// Renamed to ``counts()``.
    @available(*, unavailable, message: "Read counts(); it ends with the task that reads it.")
    public func addCountObserver(_ observer: Any) {}

    /// Renamed to ``counts()``.
    @available(*, unavailable, message: "Read counts(); it ends with the task that reads it.")
    public func removeCountObserver(_ observer: Any) {}
}
