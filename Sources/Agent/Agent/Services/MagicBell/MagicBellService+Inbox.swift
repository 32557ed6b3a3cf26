import Basics
import ClientKit
import FoundationEssentials
package import Inbox
import MagicBell

extension MagicBellService {
    /// For a user token without a user: only the token names the user.
    package var owner: InboxOwner {
        switch login {
        case .apiKey(let key, let email, let externalID, _): owner(apiKey: key, email: email, externalID: externalID)
        case .userToken(let source):
            InboxOwner(user: "", inbox: [hosts.api, "user token", source.pair(account: "").value])
        }
    }

    /// The owner that a user token names; without claims about the user, that of the configuration.
    func owner(of token: UserToken) -> InboxOwner {
        guard let user = token.user else { return owner }
        return owner(apiKey: token.apiKey ?? "", email: user.email, externalID: user.externalID)
    }

    /// The service looks at the external id first, and ignores the case of an e-mail address.
    private func owner(apiKey: String, email: String?, externalID: String?) -> InboxOwner {
        InboxOwner(
            user: externalID ?? email ?? "",
            inbox: [hosts.api, apiKey]
                + (externalID.map { ["external id", $0] } ?? ["email", email?.lowercased() ?? ""])
        )
    }

    package func makeInboxService(
        of owner: InboxOwner,
        _ environment: ServiceEnvironment
    ) throws(ServiceProblem) -> any InboxService {
        do {
            let transport = environment.transport.trusting(caFile)
            let context = try requestContext(environment, http: transport, webSocket: transport)
            let users = hasUserToken ? TokenUsers(service: self, owner: owner) : nil
            let token = accountToken(environment)
            let api = try api(context, of: users, token)
            return makeInbox(api, users, token, context, environment, transport)
        } catch {
            throw ServiceProblem(error.message)
        }
    }

    private func makeInbox(
        _ api: any InboxAPI,
        _ users: TokenUsers?,
        _ token: AccountToken?,
        _ context: RequestContext,
        _ environment: ServiceEnvironment,
        _ transport: NIOTransport
    ) -> MagicBellInbox {
        let follower = InboxFollower(
            api: api,
            realtime: realtimeFeed(api, context, InboxTokenStorage(environment.registration)),
            state: InboxMirror(
                pageSize: pageSize,
                tabs: tabs.compactMap { tab in StorePredicate(tab.predicate).map { (tab.id, $0) } }
            ),
            environment: context.environment,
            now: { Timestamp(context.now) },
            logger: environment.logger
        )
        return MagicBellInbox(
            api: api,
            follower: follower,
            inboxTokens: InboxTokenStorage(environment.registration),
            tabs: tabs,
            pageSize: pageSize,
            hasNumberedPages: !hasUserToken,
            tokenUsers: users,
            token: token,
            refusal: { refusal($0, account: environment.account) },
            time: MagicBellInbox.Clocks(
                now: environment.now,
                // The service's responses contain its time in whole seconds.
                serviceNow: {
                    let isBehind = context.clockOffset.map { $0 < 0 } ?? false
                    return Timestamp(context.now.addingTimeInterval(isBehind ? -2 : 0))
                },
                changed: { context.wallClockChanged(by: $0) }
            ),
            allowPrompts: { await environment.keyring.allowPrompts() },
            retireConnections: { transport.retireConnections() }
        )
    }

    package func examine(
        account: String,
        _ scope: CheckScope,
        _ environment: ServiceEnvironment
    ) async -> ServiceFindings {
        let check = MagicBellCheck(account: account, service: self, scope: scope, environment: environment)
        do throws(MagicBellError) {
            let facts = try await check.facts()
            return ServiceFindings(facts.findings, clockOffset: facts.clockOffset)
        } catch {
            return ServiceFindings(misconfigured: account, error.message)
        }
    }

    // MARK: The library

    var hosts: Hosts { Hosts(api: apiURL, ablyREST: ablyRESTURL, ablyRealtime: ablyRealtimeURL, socket: socketURL) }

    var hasUserToken: Bool { if case .userToken = login { true } else { false } }

    func requestContext(
        _ environment: ServiceEnvironment,
        http: any HTTPTransport,
        webSocket: any WebSocketTransport,
        waitScale: Double? = nil
    ) throws(MagicBellError) -> RequestContext {
        var library = environment.forLibrary
        if let waitScale { library.waitScale = waitScale }
        return try RequestContext(
            hosts: hosts,
            app: ServiceEnvironment.app,
            http: http,
            webSocket: webSocket,
            environment: library,
            logger: environment.logger
        )
    }

    /// The API with the account's credentials, which are read when they are needed.
    ///
    /// - Parameters:
    ///   - users: Whose user tokens are used; nil: those of any user.
    ///   - token: The result of ``accountToken(_:)``.
    func api(
        _ context: RequestContext,
        of users: TokenUsers? = nil,
        _ token: AccountToken?
    ) throws(MagicBellError) -> any InboxAPI {
        switch login {
        case .userToken:
            let refresh: UserTokenProvider = { _ in
                let text = try await token?.read(throwing: MagicBellError.self)
                if let text { try users?.check(text) }
                return text
            }
            return UserAPI(try .userToken(refresh: refresh), context: context)
        case .apiKey(let key, let email, let externalID, let hmac):
            let user = try UserIdentity(email: email, externalID: externalID)
            switch hmac {
            case nil: return RESTAPI(try .apiKey(key, user: user), context: context)
            case .text(let text)?: return RESTAPI(try .apiKey(key, user: user, hmac: text), context: context)
            case .source?:
                let read: UserTokenProvider = { _ in try await token?.read(throwing: MagicBellError.self) }
                return RESTAPI(try .apiKey(key, user: user, refreshingHMAC: read), context: context)
            }
        }
    }

    /// Reads the user token or the HMAC; nil: the account has none from a source.
    func accountToken(_ environment: ServiceEnvironment) -> AccountToken? {
        environment.token(from: token, named: secretName, user: owner.user, caFile: caFile)
    }

    /// A refusal of the credentials, with what to do about a token or HMAC from a source.
    private func refusal(_ failure: ServiceFailure, account: String) -> ServiceFailure {
        guard let cure = token?.cure(named: secretName, account: account) else { return failure }
        var failure = failure
        failure.sentence =
            hasUserToken
            ? "MagicBell no longer accepts your user token (401). \(cure)"
            : "\(failure.sentence) If the HMAC is wrong: \(cure)"
        failure.needsNewToken = token?.isReplaceable(of: account) ?? false
        return failure
    }

    func realtimeFeed(
        _ api: any InboxAPI,
        _ context: RequestContext,
        _ tokens: InboxTokenStorage = InboxTokenStorage()
    ) -> RealtimeFeed {
        let carrier: RealtimeCarrier? =
            switch realtime {
            case .socket?: .socket
            case .ably?: .ably
            case nil: nil
            }
        return RealtimeFeed(carrier: carrier, api: api, tokens: tokens, context: context)
    }

    private var tabs: [InboxTab] {
        stores.map { store in
            InboxTab(
                id: store.id,
                label: store.label,
                predicate: InboxPredicate(
                    read: store.read,
                    seen: store.seen,
                    archived: store.archived ?? false,
                    categories: store.categories,
                    topics: store.topics
                )
            )
        }
    }
}

extension InboxTokenStorage {
    /// Keeps the token of an account.
    fileprivate init(_ kept: SavedRegistration) {
        self.init {
            guard let parts = await kept.load(), parts.count == 2 else { return nil }
            return InboxTokenRegistration(token: parts[0], apiKey: parts[1])
        } save: { registration in
            await kept.save(registration.map { [$0.token, $0.apiKey] })
        }
    }
}
