import Basics
import ClientKit
import Logging

/// The identified user's notification preferences; changes are sent while ``SuprSendClient/run()`` runs.
///
/// Load them with ``getPreferences(args:)`` before a change. A change is shown at once. ``SuprSendClient/run()`` sends
/// it one second after the last change of the same category (or channel), ``flush()`` earlier. Unconfirmed changes stay
/// visible, whatever the service returns meanwhile; a refused change is reverted. ``events()`` reports both outcomes.
///
/// Every loaded tenant can be changed. Calls without a tenant use the last one loaded.
public actor Preferences {
    let context: RequestContext
    private let identity: ActiveIdentity
    nonisolated let calls: PreferenceCalls
    /// The time since the creation of this object.
    let time: @Sendable () -> Duration

    var state = PreferencesState()
    /// The user of these preferences.
    var owner: String?
    /// Tenants for which the service may have performed more than it confirmed.
    var unverified: Set<String?> = []
    /// Signalled when the next deadline became earlier.
    let wake = WakeSignal()
    private var listeners: [AsyncStream<PreferencesEvent>.Continuation] = []
    /// The calls of ``flush()``, and the wake-ups of their waits for a response.
    var flushes = ChangeWaits<SuprSendError>()
    var flushWaiters = Waiters()
    var lastFlush: UInt64 = 0

    init(context: RequestContext, identity: ActiveIdentity, routes: PreferenceRoutes) {
        self.context = context
        self.identity = identity
        calls = PreferenceCalls(context: context, identity: identity, routes: routes)
        time = context.environment.clock.stopwatch()
    }

    // MARK: Contents

    /// The preferences loaded last, with all changes made since; nil: none are loaded for the identified user.
    public var data: PreferenceData? { isOwned ? state.data : nil }

    /// The number of changes that the service has not confirmed.
    public var pending: Int { isOwned ? state.pending.count : 0 }

    /// The events from now on. Every call creates a listener, which ends when its task is cancelled or the stream is
    /// released. A slow listener receives the latest 100 events.
    public func events() -> AsyncStream<PreferencesEvent> {
        let (events, listener) = AsyncStream.makeStream(
            of: PreferencesEvent.self,
            bufferingPolicy: .bufferingNewest(100)
        )
        listeners.append(listener)
        return events
    }

    func emit(_ event: PreferencesEvent) {
        listeners.removeAll { if case .terminated = $0.yield(event) { true } else { false } }
    }

    // MARK: Loading

    /// Loads the preferences, and makes them the present ones.
    ///
    /// - Throws: `invalidArgument` for an empty tag or locale in `args`, `invalidState` when no user is identified, and
    ///   the service's refusal; the present preferences then stay.
    @discardableResult
    public func getPreferences(args: PreferenceArgs = PreferenceArgs()) async throws(SuprSendError) -> PreferenceData {
        try args.validate()
        let user = try currentUser()
        let args = args.completed(by: PreferenceArgs(tenantID: user.tenantID))
        return try await load(args, as: user)
    }

    /// `again`: a reload by the library, because the present preferences may be outdated.
    @discardableResult
    func load(
        _ args: PreferenceArgs,
        as user: Identity,
        again: Bool = false
    ) async throws(SuprSendError) -> PreferenceData {
        let number = state.beginLoad()
        let answer: Result<PreferenceData, SuprSendError> = await result(of: .full(args), args, as: user)
        let shown = state.finishLoad(number, args, try? answer.get(), again: again)
        _ = try answer.get()
        guard let shown else { throw SuprSendError(.cancelled, "The user was signed out during the call.") }
        return shown
    }

    /// A page of the list of categories, as the service has it, without unconfirmed changes.
    ///
    /// - Parameters:
    ///   - args: The parameters of the request.
    ///   - limit: The maximum number of categories; nil: the service's default (10).
    ///   - offset: The number of categories to skip; nil: none.
    /// - Throws: `invalidArgument` for an invalid number and for an empty tag or locale in `args`, `invalidState` when
    ///   no user is identified, and the service's refusal.
    public func getCategories(
        args: PreferenceArgs = PreferenceArgs(),
        limit: Int? = nil,
        offset: Int? = nil
    ) async throws(SuprSendError) -> CategoryPage {
        try args.validate()
        if let limit, limit < 1 {
            throw SuprSendError(.invalidArgument, "The limit \(limit) cannot be used: it must be at least 1.")
        }
        if let offset, offset < 0 {
            throw SuprSendError(.invalidArgument, "The offset \(offset) cannot be used: it must not be negative.")
        }
        return try await request(.categories(args, limit: limit, offset: offset), args.tenantID)
    }

    /// One category, as the service has it, without unconfirmed changes. ``PreferenceArgs/tags`` are ignored.
    ///
    /// - Throws: `invalidArgument` for an empty slug and for an empty tag or locale in `args`, `invalidState` when no
    ///   user is identified, and the service's refusal, such as `notFound`.
    public func getCategory(
        _ category: String,
        args: PreferenceArgs = PreferenceArgs()
    ) async throws(SuprSendError) -> PreferenceCategory {
        if category.isEmpty { throw .emptyCategory }
        try args.validate()
        return try await request(.category(category, args), args.tenantID)
    }

    /// The channels across all categories, as the service has them, without unconfirmed changes.
    ///
    /// - Parameter tenantID: The tenant; nil or empty: the active one.
    /// - Throws: `invalidState` when no user is identified, and the service's refusal.
    public func getOverallChannelPreferences(
        tenantID: String? = nil
    ) async throws(SuprSendError) -> [OverallChannelPreference] {
        let answer: OverallChannels = try await request(.channels, PreferenceArgs.tenant(tenantID))
        return answer.channels
    }

    private func request<Contents: Decodable & Sendable>(
        _ operation: PreferenceCall.Operation,
        _ tenantID: String?
    ) async throws(SuprSendError) -> Contents {
        let user = try currentUser()
        let args = PreferenceArgs(tenantID: tenantID ?? user.tenantID)
        return try await result(of: operation, args, as: user).get()
    }

    // MARK: Ownership

    private var isOwned: Bool { owner != nil && identity.current?.distinctID == owner }

    /// The identified user. Preferences of another user are discarded.
    func currentUser() throws(SuprSendError) -> Identity {
        let user = try identity.required()
        if user.distinctID != owner {
            discard()
            owner = user.distinctID
        }
        return user
    }

    func result<Contents: Decodable & Sendable>(
        of operation: PreferenceCall.Operation,
        _ args: PreferenceArgs,
        as user: Identity
    ) async -> Result<Contents, SuprSendError> {
        await calls.result(of: operation, args, as: user)
    }
}
