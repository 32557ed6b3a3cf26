/// The options of a feed.
public struct FeedOptions: Sendable, Hashable {
    /// The tenant; nil: the client's.
    public var tenantID: String?
    /// Rows per request, 1 to 100.
    public var pageSize: Int
    /// The stores (tabs), the first one active at the start; nil: one feed of all notifications that are not archived.
    public var stores: [NotificationStore]?
    /// Other hosts than the client's; those that are not set are the client's.
    public var hosts: Hosts?
    /// The maximum number of rows in memory, `pageSize` to 10,000; nil: unlimited. Older rows are discarded, and
    /// ``FeedData/PageInfo/hasMore`` is then true.
    public var maximumRows: Int?

    /// Stores that are counted, but not listed; see ``FeedUpdate``.
    package var counted: [NotificationStore] = []

    /// Creates options; the defaults are the service's.
    public init(
        tenantID: String? = nil,
        pageSize: Int = 20,
        stores: [NotificationStore]? = nil,
        hosts: Hosts? = nil,
        maximumRows: Int? = 200
    ) {
        self.tenantID = tenantID
        self.pageSize = pageSize
        self.stores = stores
        self.hosts = hosts
        self.maximumRows = maximumRows
    }

    static func check(pageSize: Int) throws(SuprSendError) {
        guard (1...100).contains(pageSize) else {
            throw SuprSendError(.invalidArgument, "The page size \(pageSize) is outside 1 to 100.")
        }
    }

    /// Throws `invalidArgument` that names the first invalid option.
    func validate() throws(SuprSendError) {
        func invalid(_ message: String) -> SuprSendError { SuprSendError(.invalidArgument, message) }
        if let tenantID, tenantID.isEmpty {
            throw invalid("The feed's tenant id is empty; leave it out for the client's tenant.")
        }
        try Self.check(pageSize: pageSize)
        if let maximumRows, !(pageSize...10_000).contains(maximumRows) {
            throw invalid("The maximum of \(maximumRows) rows is outside \(pageSize) (the page size) to 10000.")
        }
        var ids: Set<String> = []
        for store in (stores ?? []) + counted {
            if store.id.isEmpty { throw invalid("A store of the feed has an empty id.") }
            if store.id == "badge" {
                throw invalid("A store cannot be named \"badge\": the service uses this name for the badge count.")
            }
            if !ids.insert(store.id).inserted { throw invalid("Two stores of the feed are named \"\(store.id)\".") }
        }
    }
}
