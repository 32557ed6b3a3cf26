import Agent
import Basics
import Inbox

/// Preferences that a test controls.
actor FakePreferences: PreferencesProvider {
    private let externalChanges = Mailbox<Void>()
    private let applications = Mailbox<[PreferenceChange]>()
    /// The changes of every request, in order.
    nonisolated var applied: AsyncStream<[PreferenceChange]> { applications.messages }
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
    init(failures: [ProviderFailure] = []) { self.failures = failures }

    /// The next loads fail in this order.
    func failLoading(_ failures: ProviderFailure...) { loadFailures += failures }

    /// The next changes fail in this order.
    func fail(_ failures: ProviderFailure...) { self.failures += failures }

    /// The next refresh does not end before it is cancelled.
    func holdRefresh() { isRefreshHeld = true }

    /// Something changed at the service.
    nonisolated func change() { externalChanges.send() }

    nonisolated func run(_ changed: @escaping @Sendable () async -> Void) async {
        for await _ in externalChanges.messages { await changed() }
    }

    func contents() async throws(ProviderFailure) -> PreferencesContents {
        if !loadFailures.isEmpty { throw loadFailures.removeFirst() }
        return current
    }

    func refresh() async throws(ProviderFailure) {
        refreshes += 1
        if isRefreshHeld {
            isRefreshHeld = false
            await Completion().wait()
            throw ProviderFailure(.transient, "It was cancelled.")
        }
        _ = try await contents()
    }

    func apply(_ changes: [PreferenceChange]) async throws(ProviderFailure) {
        applications.send(changes)
        if !failures.isEmpty { throw failures.removeFirst() }
        current = current.applying(changes, by: ServiceRules(channelSwitchesCategoryOn: true))
    }
}
