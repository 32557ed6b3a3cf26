import Basics
import ServiceModels
import Synchronization
import TestSupport
import Testing

@testable import MagicBell

/// A user's API in memory: records calls, fails and holds them on demand.
final class FakeInboxAPI: InboxAPI {
    enum Call: Sendable, Hashable {
        case page(StorePredicate, InboxPageCursor?, size: Int)
        case counts(StorePredicate)
        case notification(String)
        case change(String, StateChange)
        case delete(String)
        case changeAll(StorePredicate, StateChange)
        case preferences
        case update(NotificationPreferences)
        case register(PushToken)
        case unregister(PushToken)

        var isPage: Bool { if case .page = self { true } else { false } }
    }

    private struct State: Sendable {
        var inbox = SimulatedInbox()
        var calls: [Call] = []
        var finished = 0
        var failures: [(error: MagicBellError, isFor: @Sendable (Call) -> Bool)] = []
        var isHolding: (@Sendable (Call) -> Bool)?
        var held = Waiters()
        var watchers = Waiters()
        var preferences = NotificationPreferences()
        var devices: Set<PushToken> = []
    }

    let capabilities: APICapabilities
    private let tellsPreferences: Bool
    private let state = Mutex(State())

    init(
        _ rows: [InboxNotification] = [],
        capabilities: APICapabilities = [.totalCount, .unseenCount, .delete, .seen, .archiveAll, .filtersAll],
        tellsPreferences: Bool = true
    ) {
        self.capabilities = capabilities
        self.tellsPreferences = tellsPreferences
        state.withLock { $0.inbox.add(rows) }
    }

    // MARK: For tests

    var calls: [Call] { state.withLock(\.calls) }

    /// How many list requests were sent.
    var pages: Int { calls.count(where: \.isPage) }

    var devices: Set<PushToken> { state.withLock(\.devices) }

    func set(_ preferences: NotificationPreferences) { state.withLock { $0.preferences = preferences } }

    @discardableResult
    func change<Result: Sendable>(_ body: (inout SimulatedInbox) -> Result) -> Result {
        state.withLock { body(&$0.inbox) }
    }

    /// The next call that `isFor` accepts fails.
    func fail(_ error: MagicBellError, _ isFor: @escaping @Sendable (Call) -> Bool = { _ in true }) {
        state.withLock { $0.failures.append((error, isFor)) }
    }

    /// Calls that `isFor` accepts wait for ``release()``.
    func hold(_ isFor: @escaping @Sendable (Call) -> Bool = { _ in true }) {
        state.withLock { $0.isHolding = isFor }
    }

    func release() {
        state.withLock { state in
            state.isHolding = nil
            state.held.wakeAll()
        }
    }

    /// Waits for a call.
    func waitForCall(sourceLocation: SourceLocation = #_sourceLocation, _ isSearched: (Call) -> Bool) async {
        await wait("a call", sourceLocation) { $0.calls.contains(where: isSearched) }
    }

    /// Waits until this number of calls were sent.
    func waitForCalls(_ count: Int, sourceLocation: SourceLocation = #_sourceLocation) async {
        await wait("\(count) calls", sourceLocation) { $0.calls.count >= count }
    }

    private func wait(_ what: String, _ sourceLocation: SourceLocation, _ isOver: (State) -> Bool) async {
        let seen = { @Sendable in "\(self.state.withLock { $0.calls })" }
        await waiting(for: what, seen: seen, sourceLocation: sourceLocation) {
            while !Task.isCancelled {
                let wait: Completion? = state.withLock { isOver($0) ? nil : $0.watchers.add() }
                guard let wait else { return }
                await wait.wait()
            }
        }
    }

    private func perform<Result: Sendable>(
        _ call: Call,
        _ body: (inout State) throws(MagicBellError) -> Result
    ) async throws(MagicBellError) -> Result {
        state.withLock { state in
            state.calls.append(call)
            state.watchers.wakeAll()
        }
        while true {
            let wait: Completion? = state.withLock { $0.isHolding?(call) == true ? $0.held.add() : nil }
            guard let wait else { break }
            await wait.wait()
            if Task.isCancelled { throw .cancelled }
        }
        if Task.isCancelled { throw .cancelled }
        return try state.withLock { (state) throws(MagicBellError) in
            defer { state.watchers.wakeAll() }
            if let index = state.failures.firstIndex(where: { $0.isFor(call) }) {
                throw state.failures.remove(at: index).error
            }
            return try body(&state)
        }
    }

    // MARK: InboxAPI

    func page(
        of predicate: StorePredicate,
        after cursor: InboxPageCursor?,
        size: Int,
        showPart: PartialPages
    ) async throws(MagicBellError) -> StorePage {
        try await perform(.page(predicate, cursor, size: size)) { known($0.inbox.page(predicate, cursor, size)) }
    }

    private func known(_ page: StorePage) -> StorePage {
        var page = page
        page.counts = known(page.counts)
        return page
    }

    private func known(_ counts: StoreCounts) -> StoreCounts {
        StoreCounts(
            total: capabilities.contains(.totalCount) ? counts.total : nil,
            unread: counts.unread,
            unseen: capabilities.contains(.unseenCount) ? counts.unseen : nil
        )
    }

    func counts(of predicate: StorePredicate) async throws(MagicBellError) -> StoreCounts {
        try await perform(.counts(predicate)) { known($0.inbox.counts(predicate)) }
    }

    func notification(_ id: String) async throws(MagicBellError) -> InboxNotification {
        try await perform(.notification(id)) { (state) throws(MagicBellError) in
            guard let row = state.inbox.rows[id] else { throw .missing }
            return row
        }
    }

    func change(_ id: String, to change: StateChange) async throws(MagicBellError) {
        try await perform(.change(id, change)) { (state) throws(MagicBellError) in
            guard !state.inbox.change(id, change).isEmpty else { throw .missing }
        }
    }

    func delete(_ id: String) async throws(MagicBellError) {
        try await perform(.delete(id)) { _ = $0.inbox.delete(id) }
    }

    func changeAll(_ predicate: StorePredicate, to change: StateChange) async throws(MagicBellError) {
        let scope =
            capabilities.contains(.filtersAll)
            ? predicate : StorePredicate(categories: predicate.categories, topics: predicate.topics)
        try await perform(.changeAll(predicate, change)) { _ = $0.inbox.changeAll(scope, change) }
    }

    func preferences() async throws(MagicBellError) -> NotificationPreferences {
        try await perform(.preferences) { $0.preferences }
    }

    func updatePreferences(
        _ changes: NotificationPreferences
    ) async throws(MagicBellError) -> NotificationPreferences? {
        try await perform(.update(changes)) { state in
            state.preferences.update(changes)
            return tellsPreferences ? state.preferences : nil
        }
    }

    func register(_ token: PushToken) async throws(MagicBellError) {
        try await perform(.register(token)) { _ = $0.devices.insert(token) }
    }

    func unregister(_ token: PushToken) async throws(MagicBellError) {
        try await perform(.unregister(token)) { _ = $0.devices.remove(token) }
    }

    func configuration() async throws(MagicBellError) -> UserConfiguration? { nil }

    func realtimeTokenRequest() async throws(MagicBellError) -> AblyAuthorization { throw .refused }

    func registerInboxToken(_ token: String) async throws(MagicBellError) -> InboxTokenRegistration { throw .refused }
}
