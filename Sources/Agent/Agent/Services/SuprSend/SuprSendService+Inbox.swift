import ClientKit
package import Inbox
import SuprSend

extension SuprSendService {
    package var owner: InboxOwner {
        let hosts = Hosts(self)
        return InboxOwner(user: distinctID, inbox: [hosts.api, hosts.hub, publicKey, tenantID, distinctID])
    }

    package func makeInboxService(
        of owner: InboxOwner,
        _ environment: ServiceEnvironment
    ) throws(ServiceProblem) -> any InboxService {
        do {
            let token = environment.token(from: token, user: distinctID, caFile: caFile)
            let client = try SuprSendClient(self, token, environment)
            let feed = try client.feeds.initialize(FeedOptions(self))
            return SuprSendInbox(
                client: client,
                feed: feed,
                tabs: tabs,
                pageSize: pageSize,
                language: language,
                preferenceTags: preferenceTags,
                token: token,
                cure: self.token?.cure(account: environment.account),
                hasReplaceableToken: self.token?.isReplaceable(of: environment.account) ?? false,
                environment: environment
            )
        } catch {
            throw ServiceProblem(error.message)
        }
    }

    package func examine(
        account: String,
        _ scope: CheckScope,
        _ environment: ServiceEnvironment
    ) async -> ServiceFindings {
        let check = SuprSendCheck(account: account, service: self, scope: scope, environment: environment)
        do throws(SuprSendError) {
            let facts = try await check.facts()
            return ServiceFindings(facts.findings, clockOffset: facts.clockOffset)
        } catch {
            return ServiceFindings(misconfigured: account, error.message)
        }
    }
}

extension Hosts {
    fileprivate init(_ service: SuprSendService) {
        self.init()
        if let url = service.hubURL { hub = url }
        if let url = service.apiURL { api = url }
        if let url = service.socketURL { socket = url }
    }
}

extension SuprSendClient {
    fileprivate convenience init(
        _ service: SuprSendService,
        _ token: AccountToken?,
        _ environment: ServiceEnvironment
    ) throws(SuprSendError) {
        var userToken: UserTokenProvider?
        if let token { userToken = { _ in try await token.read(throwing: SuprSendError.self) } }
        let context = try RequestContext(service, environment, transport: environment.transport)
        try self.init(
            context,
            identifiedAs: service.distinctID,
            tenantID: service.tenantID,
            refreshUserToken: userToken
        )
    }
}

extension RequestContext {
    init(
        _ service: SuprSendService,
        _ environment: ServiceEnvironment,
        transport: NIOTransport
    ) throws(SuprSendError) {
        let transport = transport.trusting(service.caFile)
        try self.init(
            publicKey: service.publicKey,
            hosts: Hosts(service),
            app: ServiceEnvironment.app,
            http: transport,
            webSocket: transport,
            environment: environment.forLibrary,
            logger: environment.logger
        )
    }
}

extension FeedOptions {
    /// The whole inbox; tabs are only counted.
    fileprivate init(_ service: SuprSendService) {
        self.init(pageSize: service.pageSize)
        counted = service.tabs.map { NotificationStore(id: $0.id, query: .init($0.predicate)) } + [.unread]
    }
}

extension SuprSendService {
    fileprivate var tabs: [InboxTab] {
        (stores ?? []).map { store in
            InboxTab(
                id: store.id,
                label: store.label,
                predicate: InboxPredicate(
                    read: store.read,
                    archived: store.archived ?? false,
                    tags: store.tags,
                    categories: store.categories
                )
            )
        }
    }
}
