import Basics
import ClientKit
import Logging
import Synchronization

/// A connected user: stores, notification preferences, and a realtime feed.
///
/// The feed is connected while ``run()`` of the user or of the client runs. After the user was disconnected, calls
/// throw `invalidState`.
public final class MagicBellUser: Sendable {
    /// The stores.
    public let store: Stores
    /// The notification preferences.
    public let preferences: Preferences
    /// The subscriptions to topics.
    public let subscriptions: TopicSubscriptions
    /// The devices, browsers and chats that the service delivers to.
    public let pushTokens: PushTokens

    let authorization: UserAuthorization
    let device: DeviceRegistration
    private let scope: CallScope
    private let context: RequestContext
    private let makeSource: @Sendable () -> any RealtimeSource
    private let shared: Mutex<Shared>

    private struct Shared: Sendable {
        var identity: UserIdentity
        var state = ConnectionState.offline(nil, nextAttempt: nil)
        var listeners = Listeners<LatestValue<ConnectionState>>()
        /// Only while the feed runs.
        var source: (any RealtimeSource)?
    }

    init(
        _ identity: UserIdentity,
        authorization: UserAuthorization,
        api: any InboxAPI,
        device: DeviceRegistration,
        context: RequestContext,
        pageSize: Int,
        apiKey: String? = nil,
        makeSource: @escaping @Sendable () -> any RealtimeSource
    ) {
        let scope = CallScope()
        self.scope = scope
        self.authorization = authorization
        self.device = device
        self.context = context
        self.makeSource = makeSource
        store = Stores(
            api: api,
            scope: scope,
            environment: context.environment,
            logger: context.logger,
            pageSize: pageSize,
            owner: [apiKey ?? "", identity.identifier]
        )
        preferences = Preferences(api: api, scope: scope)
        subscriptions = TopicSubscriptions(api: api, scope: scope)
        pushTokens = PushTokens(api: api, scope: scope)
        shared = Mutex(Shared(identity: identity))
    }

    /// The e-mail address; nil: none was given.
    public var email: String? { identity.email }

    /// The id that the sender uses for the user; nil: none was given.
    public var externalID: String? { identity.externalID }

    var identity: UserIdentity { shared.withLock(\.identity) }

    func setIdentity(_ identity: UserIdentity) { shared.withLock { $0.identity = identity } }

    // MARK: The realtime feed

    /// Receives events, and keeps the fetched stores up to date, until the task is cancelled or the user is
    /// disconnected. Failures are shown in ``connectionState`` and retried indefinitely. ``MagicBellClient/run()`` does
    /// this for every user.
    ///
    /// When it returns, the connection is closed. Call it again to continue; the fetched stores are then loaded again.
    /// So before the computer sleeps, cancel it and wait until it has returned; call it again afterwards.
    public func run() async {
        let source = makeSource()
        let hasRun = await store.run(source, willRun: { self.setSource(source) }, report: { self.receive($0) })
        guard hasRun else {
            return context.logger.error("the user's realtime feed runs already, or the user was disconnected")
        }
        // After a sleep, or on another network, the connections may be dead without an error.
        context.http.retireConnections()
        shared.withLock { shared in
            shared.source = nil
            Self.set(.offline(nil, nextAttempt: nil), in: &shared)
        }
    }

    private func setSource(_ source: any RealtimeSource) { shared.withLock { $0.source = source } }

    /// Ends the wait before the next attempt to connect and to load: after the network returned, after the computer
    /// woke up, or at the user's request.
    public func reconnect() async {
        await shared.withLock(\.source)?.reconnect()
        store.retryNow()
    }

    private func receive(_ update: RealtimeUpdate) {
        shared.withLock { Self.set($0.state.after(update), in: &$0) }
    }

    private static func set(_ state: ConnectionState, in shared: inout Shared) {
        guard shared.state != state else { return }
        shared.state = state
        shared.listeners.forEach { $0.value = state }
    }

    /// The present state of the realtime feed.
    public var connectionState: ConnectionState { shared.withLock(\.state) }

    /// The present state of the realtime feed, and then each change. A slow listener gets the latest. It ends when the
    /// user is disconnected, and when its task is cancelled.
    public func connectionStates() -> AsyncStream<ConnectionState> {
        let listener = shared.withLock { $0.listeners.add(LatestValue(value: $0.state)) }
        return AsyncStream { await self.next(for: listener) }
    }

    private func next(for listener: Listeners<LatestValue<ConnectionState>>.Listener) async -> ConnectionState? {
        while !Task.isCancelled {
            switch shared.withLock({ $0.listeners.next(for: listener) }) {
            case .element(let state): return state
            case .wait(let wait): await wait.wait()
            case .end: return nil
            }
        }
        shared.withLock { $0.listeners.remove(listener) }
        return nil
    }

    // MARK: The end

    /// Whether the user is connected: not disconnected, and the client not shut down.
    public var isConnected: Bool { scope.end == nil }

    /// Ends everything of the user here: calls, stores, the realtime feed. Later calls throw `error`.
    func end(_ error: MagicBellError) {
        scope.end(error)
        store.end(error)
        shared.withLock { $0.listeners.end() }
    }
}
