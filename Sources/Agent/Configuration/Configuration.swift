package import Inbox

/// Everything a person can configure (design.md §4).
package struct Configuration: Equatable, Sendable {
    package var accounts: [AccountConfiguration]
    package var popups: PopupPolicy
    /// `nil`: there are none.
    package var quiet: QuietHours?

    package init(
        accounts: [AccountConfiguration] = [],
        popups: PopupPolicy = PopupPolicy(),
        quiet: QuietHours? = nil
    ) {
        self.accounts = accounts
        self.popups = popups
        self.quiet = quiet
    }
}

/// One `[accounts.NAME]`.
package struct AccountConfiguration: Equatable, Sendable {
    /// The services an account can be of.
    package enum Service: Equatable, Sendable {
        case suprSend(SuprSendConfiguration)
    }

    package var name: String
    package var service: Service

    package init(name: String, service: Service) {
        self.name = name
        self.service = service
    }
}

/// Where an account's token comes from.
package enum TokenSource: Equatable, Sendable {
    /// A command and its arguments; the first line it prints is the token.
    case command([String])
    /// A file; its first line is the token.
    case file(String)
    /// The one item of the Secret Service that has these attributes; its first line is the token.
    case secret([String: String])
}

/// The keys of an account whose provider is `suprsend`.
package struct SuprSendConfiguration: Equatable, Sendable {
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
    package var pageSize: Int
    /// `nil`: the feed has no stores.
    package var stores: [Store]?

    package init(
        publicKey: String,
        distinctID: String,
        tenantID: String = "default",
        token: TokenSource? = nil,
        hubURL: String? = nil,
        apiURL: String? = nil,
        socketURL: String? = nil,
        pageSize: Int = 20,
        stores: [Store]? = nil
    ) {
        self.publicKey = publicKey
        self.distinctID = distinctID
        self.tenantID = tenantID
        self.token = token
        self.hubURL = hubURL
        self.apiURL = apiURL
        self.socketURL = socketURL
        self.pageSize = pageSize
        self.stores = stores
    }
}
