package import SuprSend

/// An account at SuprSend.
package struct SuprSendService: AccountService {
    /// One `[[accounts.NAME.stores]]`.
    package struct Store: Equatable, Sendable {
        package var id: String
        package var label: String
        package var read: Bool?
        package var archived: Bool?
        package var tags: [String]
        package var categories: [String]

        package init(
            id: String,
            label: String,
            read: Bool? = nil,
            archived: Bool? = nil,
            tags: [String] = [],
            categories: [String] = []
        ) {
            self.id = id
            self.label = label
            self.read = read
            self.archived = archived
            self.tags = tags
            self.categories = categories
        }
    }

    package var publicKey: String
    package var distinctID: String
    package var tenantID: String
    package var token: TokenSource?
    package var hubURL: String?
    package var apiURL: String?
    package var socketURL: String?
    /// The absolute path of a PEM file of additional trusted certificate authorities.
    package var caFile: String?
    package var pageSize: Int
    /// The language of the preferences' names, such as `es-AR`; nil: the service's default.
    package var language: String?
    /// Which categories of preferences there are; nil: all.
    package var preferenceTags: PreferenceTags?
    /// nil: the feed has no stores.
    package var stores: [Store]?

    package init(
        publicKey: String,
        distinctID: String,
        tenantID: String = "default",
        token: TokenSource? = nil,
        hubURL: String? = nil,
        apiURL: String? = nil,
        socketURL: String? = nil,
        caFile: String? = nil,
        pageSize: Int = 20,
        language: String? = nil,
        preferenceTags: PreferenceTags? = nil,
        stores: [Store]? = nil
    ) {
        self.publicKey = publicKey
        self.distinctID = distinctID
        self.tenantID = tenantID
        self.token = token
        self.hubURL = hubURL
        self.apiURL = apiURL
        self.socketURL = socketURL
        self.caFile = caFile
        self.pageSize = pageSize
        self.language = language
        self.preferenceTags = preferenceTags
        self.stores = stores
    }
}
