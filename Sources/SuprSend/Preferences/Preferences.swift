import ClientKit
import Logging

/// The identified person's notification preferences; changes are sent while ``SuprSendClient/run()`` runs.
///
/// Load them with ``getPreferences(args:)``; after that they can be changed. A change shows at once and is sent a second after the last
/// one of the same category (or channel), by ``SuprSendClient/run()``, or earlier by ``flush()``. Whatever the service answers
/// meanwhile, changes that are not confirmed stay on top of it; a change that it refuses is undone. ``events()`` tells of both.
///
/// Each tenant that was loaded can be changed. Without a tenant, calls mean the one loaded last.
public actor Preferences {
    let workspace: Workspace
    private let identity: ActiveIdentity
    private let routes: PreferenceRoutes
    /// The time since this was made.
    let time: @Sendable () -> Duration

    var state = PreferencesState()
    /// Whose preferences these are.
    var owner: String?
    /// Tenants of which more may be done than was confirmed.
    var doubtful: Set<String?> = []
    /// Woken when something is due earlier than it was.
    let bell = Doorbell()
    private var listeners: [AsyncStream<PreferencesEvent>.Continuation] = []
    var flushes: [UInt64: Flush] = [:]
    var lastFlush: UInt64 = 0

    struct Flush {
        /// Not confirmed yet.
        var changes: Set<UInt64>
        var failure: SuprSendError?
        var waiter: AsyncStream<Never>.Continuation?
    }

    init(workspace: Workspace, identity: ActiveIdentity, routes: PreferenceRoutes) {
        self.workspace = workspace
        self.identity = identity
        self.routes = routes
        time = workspace.surroundings.clock.stopwatch()
    }

    // MARK: What there is to see

    /// The preferences loaded last, with all changes made since; nil: none were loaded for whoever is identified.
    public var data: PreferenceData? { isOwned ? state.data : nil }

    /// How many changes the service has not confirmed.
    public var pending: Int { isOwned ? state.pending.count : 0 }

    /// What happens from now on. Every call makes a listener of its own, which ends when its task is cancelled or the stream is dropped.
    /// For a listener that is behind, the latest 100 events are kept.
    public func events() -> AsyncStream<PreferencesEvent> {
        let (events, listener) = AsyncStream.makeStream(
            of: PreferencesEvent.self,
            bufferingPolicy: .bufferingNewest(100)
        )
        listeners.append(listener)
        return events
    }

    func tell(_ event: PreferencesEvent) {
        listeners.removeAll { if case .terminated = $0.yield(event) { true } else { false } }
    }

    // MARK: Asking

    /// Loads the preferences, and makes them the ones shown and changed.
    ///
    /// - Throws: `invalidArgument` for an empty tag or locale in `args`, `invalidState` when nobody is identified; what the service says against
    ///   it, and then everything stays as it was.
    @discardableResult
    public func getPreferences(args: PreferenceArgs = PreferenceArgs()) async throws(SuprSendError) -> PreferenceData {
        try args.validate()
        let person = try person()
        let args = args.completed(by: PreferenceArgs(tenantID: person.tenantID))
        return try await load(args, as: person)
    }

    /// `again`: nobody asks for it, but what is shown may be outdated.
    @discardableResult
    func load(
        _ args: PreferenceArgs,
        as person: Identity,
        again: Bool = false
    ) async throws(SuprSendError) -> PreferenceData {
        let number = state.beginLoad()
        let answer: Result<PreferenceData, SuprSendError> = await result(of: .full(args), args, as: person)
        let shown = state.finishLoad(number, args, try? answer.get(), again: again)
        _ = try answer.get()
        guard let shown else { throw SuprSendError(.cancelled, "The person was signed out meanwhile.") }
        return shown
    }

    /// A part of the list of categories, as the service has it: changes that are not confirmed are not in it.
    ///
    /// - Parameters:
    ///   - args: Which ones.
    ///   - limit: How many at most; nil: the service's choice (10).
    ///   - offset: How many to leave out at the beginning; nil: none.
    /// - Throws: `invalidArgument` for a number below the least possible one and for an empty tag or locale in `args`, `invalidState` when nobody
    ///   is identified; what the service says against it.
    public func getCategories(
        args: PreferenceArgs = PreferenceArgs(),
        limit: Int? = nil,
        offset: Int? = nil
    ) async throws(SuprSendError) -> CategoryPage {
        try args.validate()
        if let limit, limit < 1 {
            throw SuprSendError(.invalidArgument, "The limit \(limit) cannot be used: it must be 1 at least.")
        }
        if let offset, offset < 0 {
            throw SuprSendError(.invalidArgument, "The offset \(offset) cannot be used: it must not be negative.")
        }
        return try await ask(.categories(args, limit: limit, offset: offset), args.tenantID)
    }

    /// One category, as the service has it: changes that are not confirmed are not in it. ``PreferenceArgs/tags`` are not used.
    ///
    /// - Throws: `invalidArgument` for an empty slug and for an empty tag or locale in `args`, `invalidState` when nobody is identified; what the
    ///   service says against it, `notFound` among it.
    public func getCategory(
        _ category: String,
        args: PreferenceArgs = PreferenceArgs()
    ) async throws(SuprSendError) -> PreferenceCategory {
        if category.isEmpty { throw .emptyCategory }
        try args.validate()
        return try await ask(.category(category, args), args.tenantID)
    }

    /// The channels over all categories, as the service has them: changes that are not confirmed are not in it.
    ///
    /// - Parameter tenantID: The tenant; nil or empty: the active one.
    /// - Throws: `invalidState` when nobody is identified; what the service says against it.
    public func getOverallChannelPreferences(
        tenantID: String? = nil
    ) async throws(SuprSendError) -> [OverallChannelPreference] {
        let answer: OverallChannels = try await ask(.channels, PreferenceArgs.tenant(tenantID))
        return answer.channels
    }

    private func ask<Contents: Decodable & Sendable>(
        _ operation: PreferenceCall.Operation,
        _ tenantID: String?
    ) async throws(SuprSendError) -> Contents {
        let person = try person()
        let args = PreferenceArgs(tenantID: tenantID ?? person.tenantID)
        return try await result(of: operation, args, as: person).get()
    }

    // MARK: Whose they are

    private var isOwned: Bool { owner != nil && identity.current?.distinctID == owner }

    /// Whoever is identified. What belongs to somebody else is forgotten.
    func person() throws(SuprSendError) -> Identity {
        let person = try identity.required()
        if person.distinctID != owner {
            forget()
            owner = person.distinctID
        }
        return person
    }

    func result<Contents: Decodable & Sendable>(
        of operation: PreferenceCall.Operation,
        _ args: PreferenceArgs,
        as person: Identity
    ) async -> Result<Contents, SuprSendError> {
        let service = Service(
            workspace: workspace,
            scope: RequestScope(
                hosts: workspace.hosts,
                distinctID: person.distinctID,
                tenantID: args.tenantID
            ),
            tokens: person.tokens
        )
        return await service.result(of: PreferenceCall(operation, routes: routes))
    }
}
