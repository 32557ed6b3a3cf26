import Agent
import Inbox

/// Preferences that do what the test says.
actor FakePreferences: PreferencesProvider {
    private let changes: AsyncStream<Void>
    private let input: AsyncStream<Void>.Continuation
    private let applications: AsyncStream<[PreferenceChange]>.Continuation
    /// The changes of every request, in order.
    nonisolated let applied: AsyncStream<[PreferenceChange]>
    private(set) var refreshes = 0
    private var isRefreshHeld = false
    private var loadFailures: [ProviderFailure] = []
    private var failures: [ProviderFailure]
    private var current = PreferencesContents(
        categories: [
            .init(
                section: "Offers",
                sectionDescription: "Deals",
                id: "refund-news",
                name: "Refund news",
                description: "Refund status",
                isOn: true,
                isEditable: true,
                channels: [
                    .init(name: "inbox", isOn: false, isEditable: true),
                    .init(name: "email", isOn: true, isEditable: false),
                ]
            )
        ],
        levels: [.init(channel: "email", isOnlyRequired: true), .init(channel: "inbox", isOnlyRequired: false)]
    )

    /// - Parameter failures: The first changes fail in this order.
    init(failures: [ProviderFailure] = []) {
        self.failures = failures
        (changes, input) = AsyncStream.makeStream()
        (applied, applications) = AsyncStream.makeStream()
    }

    /// The next loads fail in this order.
    func failLoading(_ failures: ProviderFailure...) { loadFailures += failures }

    /// The next changes fail in this order.
    func fail(_ failures: ProviderFailure...) { self.failures += failures }

    /// The next refresh does not end before it is cancelled.
    func holdRefresh() { isRefreshHeld = true }

    /// Something changed at the service.
    nonisolated func change() { input.yield() }

    nonisolated func run(_ changed: @escaping @Sendable () async -> Void) async {
        for await _ in changes { await changed() }
    }

    func contents() async throws(ProviderFailure) -> PreferencesContents {
        if !loadFailures.isEmpty { throw loadFailures.removeFirst() }
        return current
    }

    func refresh() async throws(ProviderFailure) {
        refreshes += 1
        if isRefreshHeld {
            isRefreshHeld = false
            let (ends, end) = AsyncStream<Never>.makeStream()
            for await _ in ends {}
            end.finish()
            throw ProviderFailure(.transient, "It was cancelled.")
        }
        _ = try await contents()
    }

    func apply(_ changes: [PreferenceChange]) async throws(ProviderFailure) {
        applications.yield(changes)
        if !failures.isEmpty { throw failures.removeFirst() }
        current = current.applying(changes, by: ServiceRules(channelSwitchesCategoryOn: true))
    }
}
