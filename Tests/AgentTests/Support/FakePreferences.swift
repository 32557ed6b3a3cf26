import Agent
import Inbox

/// Preferences that do what the test says.
actor FakePreferences: PreferencesProvider {
    private let events: AsyncStream<PreferencesEvent>
    private let input: AsyncStream<PreferencesEvent>.Continuation
    private(set) var changes: [PreferenceChange] = []
    private(set) var refreshes = 0
    private(set) var pending = 0
    private var failures: [ProviderFailure] = []

    init() { (events, input) = AsyncStream.makeStream() }

    /// What ``pending`` says from now on.
    func set(pending: Int) { self.pending = pending }

    /// The next calls fail in this order.
    func fail(_ failures: ProviderFailure...) { self.failures += failures }

    nonisolated func send(_ event: PreferencesEvent) { input.yield(event) }

    nonisolated func run(_ emit: @escaping @Sendable (PreferencesEvent) async -> Void) async {
        for await event in events { await emit(event) }
    }

    func contents() async throws(ProviderFailure) -> PreferencesContents {
        try failIfTold()
        return PreferencesContents(
            categories: [
                .init(
                    section: "Offers",
                    sectionDescription: "Deals",
                    id: "refund-news",
                    name: "Refund news",
                    description: "Refund status",
                    isOn: true,
                    isEditable: false,
                    channels: [.init(name: "inbox", isOn: false, isEditable: true)]
                )
            ],
            levels: [.init(channel: "email", isOnlyRequired: true), .init(channel: "inbox", isOnlyRequired: false)]
        )
    }

    func refresh() async throws(ProviderFailure) {
        try failIfTold()
        refreshes += 1
    }

    func set(_ change: PreferenceChange) async throws(ProviderFailure) {
        try failIfTold()
        changes.append(change)
    }

    func flush() async throws(ProviderFailure) { try failIfTold() }

    private func failIfTold() throws(ProviderFailure) { if !failures.isEmpty { throw failures.removeFirst() } }
}
