// swift-format-ignore-file: AlwaysUseLowerCamelCase

// The names of the service's SDK for iOS, so that the compiler names their successors (FromTheIOSSDK.md). Those that a
// program is likely to use for something of its own, such as Category, are in that article only.

/// Renamed to ``FeedOptions``.
@available(*, unavailable, renamed: "FeedOptions")
public typealias IFeedOptions = FeedOptions
/// Renamed to ``Hosts``.
@available(*, unavailable, renamed: "Hosts")
public typealias FeedHost = Hosts
/// Renamed to ``FeedData``.
@available(*, unavailable, renamed: "FeedData")
public typealias IFeedData = FeedData
/// Renamed to ``FeedData``.
@available(*, unavailable, renamed: "FeedData")
public typealias INotificationStore = FeedData
/// Renamed to ``FeedData/PageInfo``.
@available(*, unavailable, renamed: "FeedData.PageInfo")
public typealias IPageInfo = FeedData.PageInfo
/// Renamed to ``FeedData/Status``.
@available(*, unavailable, renamed: "FeedData.Status")
public typealias APIResponseStatus = FeedData.Status
/// Renamed to ``NotificationStore``.
@available(*, unavailable, renamed: "NotificationStore")
public typealias IStore = NotificationStore
/// Renamed to ``NotificationStore/Query``.
@available(*, unavailable, renamed: "NotificationStore.Query")
public typealias IStoreQuery = NotificationStore.Query
/// Renamed to ``FeedNotification``.
@available(*, unavailable, renamed: "FeedNotification")
public typealias IRemoteNotification = FeedNotification
/// Renamed to ``FeedNotification/Message``.
@available(*, unavailable, renamed: "FeedNotification.Message")
public typealias IRemoteNotificationMessage = FeedNotification.Message
/// Renamed to ``FeedNotification/Action``.
@available(*, unavailable, renamed: "FeedNotification.Action")
public typealias IActionObject = FeedNotification.Action
/// Renamed to ``FeedNotification/Avatar``.
@available(*, unavailable, renamed: "FeedNotification.Avatar")
public typealias IAvatarObject = FeedNotification.Avatar
/// Renamed to ``FeedNotification/Subtext``.
@available(*, unavailable, renamed: "FeedNotification.Subtext")
public typealias ISubTextObject = FeedNotification.Subtext
/// Renamed to ``PreferenceData``.
@available(*, unavailable, renamed: "PreferenceData")
public typealias PreferenceAPIResponse = PreferenceData
/// Renamed to ``PreferenceOption``.
@available(*, unavailable, renamed: "PreferenceOption")
public typealias PreferenceOptions = PreferenceOption
/// Renamed to ``ChannelLevel``.
@available(*, unavailable, renamed: "ChannelLevel")
public typealias ChannelLevelPreferenceOptions = ChannelLevel
/// Renamed to ``ChannelPreference``.
@available(*, unavailable, renamed: "ChannelPreference")
public typealias CategoryChannel = ChannelPreference
/// Renamed to ``DigestSchedule``.
@available(*, unavailable, renamed: "DigestSchedule")
public typealias CategoryDigestSchedule = DigestSchedule
/// Renamed to ``DigestSchedule/Update``.
@available(*, unavailable, renamed: "DigestSchedule.Update")
public typealias UpdateCategoryDigestSchedulePayload = DigestSchedule.Update
/// Renamed to ``DigestSchedule/Frequency``.
@available(*, unavailable, renamed: "DigestSchedule.Frequency")
public typealias DigestFrequency = DigestSchedule.Frequency
/// Renamed to ``DigestSchedule/Weekday``.
@available(*, unavailable, renamed: "DigestSchedule.Weekday")
public typealias WeekDay = DigestSchedule.Weekday
/// Renamed to ``CategoryProperty``.
@available(*, unavailable, renamed: "CategoryProperty")
public typealias CategoryProperties = CategoryProperty
/// Renamed to ``CategoryProperty/Update``.
@available(*, unavailable, renamed: "CategoryProperty.Update")
public typealias UpdateCategoryPropertyPayload = CategoryProperty.Update
/// Renamed to ``JSONValue``.
@available(*, unavailable, renamed: "JSONValue")
public typealias PropertyValue = JSONValue

/// Renamed to ``FeedEvent``.
@available(*, unavailable, renamed: "FeedEvent")
public typealias InboxEmitterEvents = FeedEvent
/// Calls return their values.
@available(*, unavailable, message: "A call returns its value, or throws a SuprSendError.")
public typealias APIResponse = SuprSendError

/// There is no shared instance.
@available(*, unavailable, message: "Create a SuprSendClient with your public key, and keep it.")
public var shared: SuprSendClient { fatalError() }

extension SuprSendClient {
    /// The public key belongs to the initializer.
    @available(*, unavailable, message: "Pass the public key to SuprSendClient(publicKey:).")
    public func configure(publicKey: String, options: Any? = nil) {}

    /// Renamed to ``identify(_:userToken:tenantID:createUser:refreshUserToken:)``.
    @available(*, unavailable, renamed: "identify(_:userToken:)")
    public func identify(distinctID: String, userToken: String? = nil, options: Any? = nil) {}

    /// Renamed to ``changeTenant(_:pushTokenAction:)``.
    @available(*, unavailable, renamed: "changeTenant(_:)")
    public func changeTenant(tenantId: String, pushTokenAction: Any? = nil) {}

    /// Renamed to ``track(_:properties:tenantID:)``.
    @available(*, unavailable, renamed: "track(_:properties:)")
    public func track(event: String, properties: [String: Any] = [:]) {}

    /// Events come from the feed and from the preferences.
    @available(*, unavailable, message: "Read the events() of a feed or of the preferences.")
    public var emitter: Any { fatalError() }

    /// The log belongs to the initializer.
    @available(*, unavailable, message: "Pass a logger to SuprSendClient, and set its logLevel.")
    public func enableLogging() {}

    /// The app opens links itself.
    @available(*, unavailable, message: "Open the links of a FeedNotification yourself.")
    public func setDeepLinkDelegate(_ delegate: Any) {}
}

extension Feed {
    /// Renamed to ``run()``.
    @available(*, unavailable, renamed: "run()")
    public func initializeSocketConnection() {}

    /// Renamed to ``events()``.
    @available(*, unavailable, renamed: "events()")
    public var emitter: Any { fatalError() }

    /// Renamed to ``fetchDetails(_:)``.
    @available(*, unavailable, renamed: "fetchDetails(_:)")
    public func fetchDetails(notificationId: String) {}

    /// Renamed to ``changeActiveStore(_:)``.
    @available(*, unavailable, renamed: "changeActiveStore(_:)")
    public func changeActiveStore(storeId: String) {}
}

extension Feeds {
    /// Renamed to ``initialize(_:)``.
    @available(*, unavailable, renamed: "initialize(_:)")
    public func initialize(options: FeedOptions?) -> Feed { fatalError() }
}

extension FeedOptions {
    /// Renamed to ``init(tenantID:pageSize:stores:hosts:maximumRows:)``.
    @available(*, unavailable, renamed: "init(tenantID:pageSize:stores:hosts:)")
    public init(tenantId: String?, pageSize: Int = 20, stores: [NotificationStore]? = nil, host: Hosts? = nil) {
        fatalError()
    }
}

extension FeedData {
    /// Renamed to ``status``.
    @available(*, unavailable, renamed: "status")
    public var apiStatus: Status { fatalError() }
}

extension Preferences {
    /// Renamed to ``PreferenceArgs``.
    @available(*, unavailable, renamed: "PreferenceArgs")
    public typealias Args = PreferenceArgs
}

extension FeedNotification {
    /// Renamed to ``id``.
    @available(*, unavailable, renamed: "id")
    public var n_id: String { fatalError() }

    /// Renamed to ``category``.
    @available(*, unavailable, renamed: "category")
    public var n_category: String { fatalError() }

    /// Renamed to ``createdOn``.
    @available(*, unavailable, renamed: "createdOn")
    public var created_on: Int64 { fatalError() }

    /// Renamed to ``seenOn``.
    @available(*, unavailable, renamed: "seenOn")
    public var seen_on: Int64? { fatalError() }

    /// Renamed to ``readOn``.
    @available(*, unavailable, renamed: "readOn")
    public var read_on: Int64? { fatalError() }

    /// Renamed to ``interactedOn``.
    @available(*, unavailable, renamed: "interactedOn")
    public var interacted_on: Int64? { fatalError() }

    /// Renamed to ``isArchived``.
    @available(*, unavailable, renamed: "isArchived")
    public var archived: Bool { fatalError() }
}
