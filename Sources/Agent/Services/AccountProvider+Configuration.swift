import AgentInterface
import Inbox
package import Logging
import SuprSend
package import Transport

extension Agent.AccountProvider {
    /// The service's side of a configured account. This is the only place that tells services apart.
    package init(
        _ account: AccountConfiguration,
        transport: NIOTransport,
        keyring: Keyring,
        surroundings: Surroundings,
        logger: Logger
    ) throws(ConfigurationError) {
        switch account.service {
        case .suprSend(let configuration):
            let identity = AccountSession.Identity(
                name: account.name,
                provider: "suprsend",
                user: configuration.distinctID,
                key: configuration.inboxKey
            )
            do {
                let client = try SuprSendClient(
                    configuration,
                    transport: transport,
                    keyring: keyring,
                    surroundings: surroundings,
                    logger: logger
                )
                let feed = try client.feeds.initialize(FeedOptions(configuration))
                let provider = SuprSendInbox(
                    client: client,
                    feed: feed,
                    keyring: keyring,
                    surroundings: surroundings
                )
                self.init(identity: identity, provider: provider)
            } catch {
                throw ConfigurationError(file: "accounts.\(account.name)", problem: error.message)
            }
        }
    }
}

extension SuprSendConfiguration {
    /// What names one user's inbox at one service: the hosts, the workspace, the tenant and the user.
    fileprivate var inboxKey: String {
        let hosts = Hosts(self)
        return ["suprsend", hosts.api, hosts.hub, publicKey, tenantID, distinctID].map(\.debugDescription).joined(
            separator: " "
        )
    }
}

extension Hosts {
    fileprivate init(_ configuration: SuprSendConfiguration) {
        self.init()
        if let url = configuration.hubURL { hub = url }
        if let url = configuration.apiURL { api = url }
        if let url = configuration.socketURL { socket = url }
    }
}

extension SuprSendClient {
    fileprivate convenience init(
        _ configuration: SuprSendConfiguration,
        transport: NIOTransport,
        keyring: Keyring,
        surroundings: Surroundings,
        logger: Logger
    ) throws(SuprSendError) {
        var userToken: UserTokenProvider?
        if let source = configuration.token {
            let reader = TokenReader(source: source, clock: surroundings.clock, keyring: keyring)
            userToken = { _ in try await reader.read() }
        }
        let workspace = try Workspace(
            configuration,
            transport: transport,
            surroundings: SuprSend.Surroundings(waitScale: surroundings.waitScale),
            logger: logger
        )
        try self.init(
            workspace,
            identifiedAs: configuration.distinctID,
            tenantID: configuration.tenantID,
            refreshUserToken: userToken
        )
    }
}

extension Workspace {
    init(
        _ configuration: SuprSendConfiguration,
        transport: NIOTransport,
        surroundings: SuprSend.Surroundings = SuprSend.Surroundings(),
        logger: Logger
    ) throws(SuprSendError) {
        let transport = transport.trusting(configuration.caFile)
        try self.init(
            publicKey: configuration.publicKey,
            hosts: Hosts(configuration),
            app: AppInfo(name: "feedbell-agent", version: AgentNames.version),
            http: transport,
            webSocket: transport,
            surroundings: surroundings,
            logger: logger
        )
    }
}

extension FeedOptions {
    fileprivate init(_ configuration: SuprSendConfiguration) {
        let stores = configuration.stores?.map { store in
            NotificationStore(
                id: store.id,
                label: store.label,
                query: .init(read: store.read, archived: store.archived, tags: store.tags, categories: store.categories)
            )
        }
        self.init(pageSize: configuration.pageSize, stores: stores)
        countsUnread = true
    }
}
