/// An account at MagicBell.
package struct MagicBellService: AccountService {
    /// How the account proves who its user is.
    package enum Login: Equatable, Sendable {
        /// The project's API key, and the user's identity: an e-mail address, an external id, or both.
        case apiKey(String, email: String?, externalID: String?, hmac: HMAC?)
        /// A user token, which names project and user.
        case userToken(TokenSource)
    }

    /// The user's HMAC, which some projects ask for.
    package enum HMAC: Equatable, Sendable {
        case text(String)
        case source(TokenSource)
    }

    /// The connection that carries the events.
    package enum Realtime: String, Sendable, CaseIterable {
        /// MagicBell's own socket.
        case socket
        case ably
    }

    /// One `[[accounts.NAME.stores]]`.
    package struct Store: Equatable, Sendable {
        package var id: String
        package var label: String
        package var read: Bool?
        package var seen: Bool?
        package var archived: Bool?
        package var categories: [String]
        package var topics: [String]

        package init(
            id: String,
            label: String,
            read: Bool? = nil,
            seen: Bool? = nil,
            archived: Bool? = nil,
            categories: [String] = [],
            topics: [String] = []
        ) {
            self.id = id
            self.label = label
            self.read = read
            self.seen = seen
            self.archived = archived
            self.categories = categories
            self.topics = topics
        }
    }

    package var login: Login
    package var apiURL: String?
    package var socketURL: String?
    package var ablyRESTURL: String?
    package var ablyRealtimeURL: String?
    /// nil: the one that the service names.
    package var realtime: Realtime?
    /// The absolute path of a PEM file of additional trusted certificate authorities.
    package var caFile: String?
    package var pageSize: Int
    package var stores: [Store]

    package init(
        login: Login,
        apiURL: String? = nil,
        socketURL: String? = nil,
        ablyRESTURL: String? = nil,
        ablyRealtimeURL: String? = nil,
        realtime: Realtime? = nil,
        caFile: String? = nil,
        pageSize: Int = 20,
        stores: [Store] = []
    ) {
        self.login = login
        self.apiURL = apiURL
        self.socketURL = socketURL
        self.ablyRESTURL = ablyRESTURL
        self.ablyRealtimeURL = ablyRealtimeURL
        self.realtime = realtime
        self.caFile = caFile
        self.pageSize = pageSize
        self.stores = stores
    }
}
