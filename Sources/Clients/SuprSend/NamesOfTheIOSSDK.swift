// swift-format-ignore-file: AlwaysUseLowerCamelCase

// The names of the service's SDK for iOS, so that the compiler names their successors (FromTheIOSSDK.md). Those that a
// program is likely to use for something of its own, such as Category, are in that article only.

/// Its name here: ``FeedOptions``.
@available(*, unavailable, renamed: "FeedOptions")
public typealias IFeedOptions = FeedOptions
/// Its name here: ``Hosts``.
@available(*, unavailable, renamed: "Hosts")
public typealias FeedHost = Hosts
/// Its name here: ``FeedData``.
@available(*, unavailable, renamed: "FeedData")
public typealias IFeedData = FeedData
/// Its name here: ``FeedData``.
@available(*, unavailable, renamed: "FeedData")
public typealias INotificationStore = FeedData
/// Its name here: ``FeedData/PageInfo``.
@available(*, unavailable, renamed: "FeedData.PageInfo")
public typealias IPageInfo = FeedData.PageInfo
/// Its name here: ``FeedData/Status``.
@available(*, unavailable, renamed: "FeedData.Status")
public typealias APIResponseStatus = FeedData.Status
/// Its name here: ``NotificationStore``.
@available(*, unavailable, renamed: "NotificationStore")
public typealias IStore = NotificationStore
/// Its name here: ``NotificationStore/Query``.
@available(*, unavailable, renamed: "NotificationStore.Query")
public typealias IStoreQuery = NotificationStore.Query
/// Its name here: ``FeedNotification``.
@available(*, unavailable, renamed: "FeedNotification")
public typealias IRemoteNotification = FeedNotification
/// Its name here: ``FeedNotification/Message``.
@available(*, unavailable, renamed: "FeedNotification.Message")
public typealias IRemoteNotificationMessage = FeedNotification.Message
/// Its name here: ``FeedNotification/Action``.
@available(*, unavailable, renamed: "FeedNotification.Action")
public typealias IActionObject = FeedNotification.Action
/// Its name here: ``FeedNotification/Avatar``.
@available(*, unavailable, renamed: "FeedNotification.Avatar")
public typealias IAvatarObject = FeedNotification.Avatar
/// Its name here: ``FeedNotification/Subtext``.
@available(*, unavailable, renamed: "FeedNotification.Subtext")
public typealias ISubTextObject = FeedNotification.Subtext
/// Its name here: ``PreferenceData``.
@available(*, unavailable, renamed: "PreferenceData")
public typealias PreferenceAPIResponse = PreferenceData
/// Its name here: ``PreferenceOption``.
@available(*, unavailable, renamed: "PreferenceOption")
public typealias PreferenceOptions = PreferenceOption
/// Its name here: ``ChannelLevel``.
@available(*, unavailable, renamed: "ChannelLevel")
public typealias ChannelLevelPreferenceOptions = ChannelLevel
/// Its name here: ``ChannelPreference``.
@available(*, unavailable, renamed: "ChannelPreference")
public typealias CategoryChannel = ChannelPreference
/// Its name here: ``DigestSchedule``.
@available(*, unavailable, renamed: "DigestSchedule")
public typealias CategoryDigestSchedule = DigestSchedule
/// Its name here: ``DigestSchedule/Update``.
@available(*, unavailable, renamed: "DigestSchedule.Update")
public typealias UpdateCategoryDigestSchedulePayload = DigestSchedule.Update
/// Its name here: ``DigestSchedule/Frequency``.
@available(*, unavailable, renamed: "DigestSchedule.Frequency")
public typealias DigestFrequency = DigestSchedule.Frequency
/// Its name here: ``DigestSchedule/Weekday``.
@available(*, unavailable, renamed: "DigestSchedule.Weekday")
public typealias WeekDay = DigestSchedule.Weekday
/// Its name here: ``CategoryProperty``.
@available(*, unavailable, renamed: "CategoryProperty")
public typealias CategoryProperties = CategoryProperty
/// Its name here: ``CategoryProperty/Update``.
@available(*, unavailable, renamed: "CategoryProperty.Update")
public typealias UpdateCategoryPropertyPayload = CategoryProperty.Update
/// Its name here: ``JSONValue``.
@available(*, unavailable, renamed: "JSONValue")
public typealias PropertyValue = JSONValue

/// Its name here: ``FeedEvent``.
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

    /// Its name here: ``identify(_:userToken:tenantID:createUser:refreshUserToken:)``.
    @available(*, unavailable, renamed: "identify(_:userToken:)")
    public func identify(distinctID: String, userToken: String? = nil, options: Any? = nil) {}

    /// Its name here: ``changeTenant(_:pushTokenAction:)``.
    @available(*, unavailable, renamed: "changeTenant(_:)")
    public func changeTenant(tenantId: String, pushTokenAction: Any? = nil) {}

    /// Its name here: ``track(_:properties:tenantID:)``.
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
    /// Its name here: ``run()``.
    @available(*, unavailable, renamed: "run()")
    public func initializeSocketConnection() {}

    /// Its name here: ``events()``.
    @available(*, unavailable, renamed: "events()")
    public var emitter: Any { fatalError() }

    /// Its name here: ``fetchDetails(_:)``.
    @available(*, unavailable, renamed: "fetchDetails(_:)")
    public func fetchDetails(notificationId: String) {}

    /// Its name here: ``changeActiveStore(_:)``.
    @available(*, unavailable, renamed: "changeActiveStore(_:)")
    public func changeActiveStore(storeId: String) {}
}

extension Feeds {
    /// Its name here: ``initialize(_:)``.
    @available(*, unavailable, renamed: "initialize(_:)")
    public func initialize(options: FeedOptions?) -> Feed { fatalError() }
}

extension FeedOptions {
    /// Its name here: ``init(tenantID:pageSize:stores:hosts:maximumRows:)``.
    @available(*, unavailable, renamed: "init(tenantID:pageSize:stores:hosts:)")
    public init(tenantId: String?, pageSize: Int = 20, stores: [NotificationStore]? = nil, host: Hosts? = nil) {
        fatalError()
    }
}

extension FeedData {
    /// Its name here: ``status``.
    @available(*, unavailable, renamed: "status")
    public var apiStatus: Status { fatalError() }
}

extension Preferences {
    /// Its name here: ``PreferenceArgs``.
    @available(*, unavailable, renamed: "PreferenceArgs")
    public typealias Args = PreferenceArgs
}

extension FeedNotification {
    /// Its name here: ``id``.
    @available(*, unavailable, renamed: "id")
    public var n_id: String { fatalError() }

    /// Its name here: ``category``.
    @available(*, unavailable, renamed: "category")
    public var n_category: String { fatalError() }

    /// Its name here: ``createdOn``.
    @available(*, unavailable, renamed: "createdOn")
    public var created_on: Int64 { fatalError() }

    /// Its name here: ``seenOn``.
    @available(*, unavailable, renamed: "seenOn")
    public var seen_on: Int64? { fatalError() }

    /// Its name here: ``readOn``.
    @available(*, unavailable, renamed: "readOn")
    public var read_on: Int64? { fatalError() }

    /// Its name here: ``interactedOn``.
    @available(*, unavailable, renamed: "interactedOn")
    public var interacted_on: Int64? { fatalError() }

    /// Its name here: ``isArchived``.
    @available(*, unavailable, renamed: "isArchived")
    public var archived: Bool { fatalError() }
}
