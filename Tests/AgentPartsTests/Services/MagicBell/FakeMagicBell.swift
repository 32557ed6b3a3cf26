import Basics
import ClientKit
import FoundationEssentials
import MagicBell
import ServiceModels
import Synchronization

/// The service in memory, with its realtime feed.
final class FakeMagicBell: InboxAPI, RealtimeSource {
    private struct State {
        var model = MagicBellModel()
        var failures: [String: [MagicBellError]] = [:]
        var calls: [String] = []
        /// Of the present run of the feed.
        var updates: Mailbox<RealtimeUpdate>?
        /// Sent while the feed does not run.
        var waiting: [RealtimeUpdate] = []
        var preferences = NotificationPreferences()
        var answersPreferences = true
        var now: Int64 = 1_700_000_000_000
        var reconnects = 0
        /// Whether the events of changes through the API are sent.
        var echoes = true
    }

    let capabilities: APICapabilities
    private let state = Mutex(State())

    init(_ capabilities: APICapabilities = [.totalCount, .unseenCount, .delete, .filtersAll, .ably, .topics]) {
        self.capabilities = capabilities
    }

    // MARK: Control

    var now: Timestamp { Timestamp(milliseconds: state.withLock { $0.now }) }

    func advance(seconds: Int64) { state.withLock { $0.now += seconds * 1000 } }

    func send(_ update: RealtimeUpdate) {
        state.withLock { state in
            if let updates = state.updates { updates.send(update) } else { state.waiting.append(update) }
        }
    }

    /// Changes the inbox, and sends the event, if there is one.
    func act(sendingEvent: Bool = true, _ body: (inout MagicBellModel, Timestamp) -> InboxEvent?) {
        let event = state.withLock { body(&$0.model, Timestamp(milliseconds: $0.now)) }
        if sendingEvent, let event { send(.event(event)) }
    }

    @discardableResult
    func publish(_ id: String? = nil, sendingEvent: Bool = true, category: String? = nil) -> String {
        var created = ""
        act(sendingEvent: sendingEvent) { model, now in
            let event = model.publish(id: id, sent: now, category: category)
            if case .created(let id) = event { created = id }
            return event
        }
        return created
    }

    /// The next calls with this name fail, one after the other.
    func fail(_ name: String, _ errors: MagicBellError...) {
        state.withLock { $0.failures[name, default: []] += errors }
    }

    func setPreferences(_ preferences: NotificationPreferences, answers: Bool = true) {
        state.withLock { ($0.preferences, $0.answersPreferences) = (preferences, answers) }
    }

    func suppressEchoes() { state.withLock { $0.echoes = false } }

    /// The names of the calls so far.
    var calls: [String] { state.withLock { $0.calls } }
    var model: MagicBellModel { state.withLock { $0.model } }
    var reconnects: Int { state.withLock { $0.reconnects } }

    private func call<Result>(
        _ name: String,
        _ body: (inout State) throws(MagicBellError) -> Result
    ) throws(MagicBellError) -> Result {
        let result: Swift.Result<Result, MagicBellError> = state.withLock { state in
            state.calls.append(name)
            let key = String(name.prefix { $0 != " " })
            if let error = state.failures[key]?.first {
                state.failures[key]?.removeFirst()
                return .failure(error)
            }
            do throws(MagicBellError) { return .success(try body(&state)) } catch { return .failure(error) }
        }
        return try result.get()
    }

    // MARK: Realtime

    func run(_ report: @escaping @Sendable (RealtimeUpdate) async -> Void) async {
        let updates = Mailbox<RealtimeUpdate>()
        state.withLock { state in
            for update in state.waiting { updates.send(update) }
            (state.updates, state.waiting) = (updates, [])
        }
        for await update in updates.messages { await report(update) }
        state.withLock { $0.updates = nil }
    }

    func reconnect() async { state.withLock { $0.reconnects += 1 } }

    // MARK: API

    private static let unknown = MagicBellError(.notFound, "There is no such notification.", status: 404)

    func page(
        of predicate: StorePredicate,
        after cursor: InboxPageCursor?,
        size: Int,
        showPart: PartialPages
    ) async throws(MagicBellError) -> StorePage {
        try call("page \(size)") { state throws(MagicBellError) in
            var page = state.model.page(of: predicate, after: cursor, size: size)
            if !capabilities.contains(.totalCount) {
                page.counts = StoreCounts()
                // Its pages have no numbers.
                page.next = page.next == nil ? nil : page.notifications.last.map { .after(id: $0.id) }
            }
            return page
        }
    }

    func counts(of predicate: StorePredicate) async throws(MagicBellError) -> StoreCounts {
        try call("counts") { state throws(MagicBellError) in state.model.counts(of: predicate) }
    }

    func notification(_ id: String) async throws(MagicBellError) -> InboxNotification {
        try call("notification \(id)") { state throws(MagicBellError) in
            guard let row = state.model.rows[id] else { throw Self.unknown }
            return row
        }
    }

    func change(_ id: String, to change: StateChange) async throws(MagicBellError) {
        let event = try call("\(change) \(id)") { state throws(MagicBellError) in
            let time = Timestamp(milliseconds: state.now)
            guard let event = state.model.change(id, to: change, at: time) else { throw Self.unknown }
            return state.echoes ? event : nil
        }
        if let event { send(.event(event)) }
    }

    func delete(_ id: String) async throws(MagicBellError) {
        let event = try call("delete \(id)") { state throws(MagicBellError) in
            let event = state.model.delete(id)
            return state.echoes ? event : nil
        }
        if let event { send(.event(event)) }
    }

    func changeAll(_ predicate: StorePredicate, to change: StateChange) async throws(MagicBellError) {
        let event = try call("all-\(change)") { state throws(MagicBellError) in
            let time = Timestamp(milliseconds: state.now)
            let event = state.model.changeAll(to: change, of: predicate, at: time)
            return state.echoes ? event : nil
        }
        if let event { send(.event(event)) }
    }

    func configuration() async throws(MagicBellError) -> UserConfiguration? { nil }

    func realtimeTokenRequest() async throws(MagicBellError) -> AblyAuthorization { .token("t", expires: nil) }

    func registerInboxToken(_ token: String) async throws(MagicBellError) -> InboxTokenRegistration {
        InboxTokenRegistration(token: token, apiKey: "pk")
    }

    func deleteInboxToken(_ token: String) async throws(MagicBellError) {
        try call("deleteInboxToken \(token)") { _ throws(MagicBellError) in }
    }

    func preferences() async throws(MagicBellError) -> NotificationPreferences {
        try call("preferences") { state throws(MagicBellError) in state.preferences }
    }

    func subscribe(
        to topic: String,
        categories: [String],
        reason: String?
    ) async throws(MagicBellError) -> TopicSubscription {
        try call("subscribe \(topic) \(categories.joined())") { _ in TopicSubscription(topic: topic, categories: []) }
    }

    func unsubscribe(from topic: String, categories: [String]) async throws(MagicBellError) -> TopicSubscription {
        try call("unsubscribe \(topic) \(categories.joined())") { _ in TopicSubscription(topic: topic, categories: []) }
    }

    func updatePreferences(
        _ changes: NotificationPreferences
    ) async throws(MagicBellError) -> NotificationPreferences? {
        let texts = changes.categories.flatMap { category in
            category.channels.map { "\(category.slug).\($0.slug)=\($0.isEnabled)" }
        }
        return try call("update \(texts.joined(separator: ","))") { state throws(MagicBellError) in
            state.preferences.update(changes)
            return state.answersPreferences ? state.preferences : nil
        }
    }

    func register(_ token: PushToken) async throws(MagicBellError) {}
    func unregister(_ token: PushToken) async throws(MagicBellError) {}
}
