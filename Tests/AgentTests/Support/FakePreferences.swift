import Agent
import Basics
import Inbox

/// Preferences that a test controls.
actor FakePreferences: PreferencesService {
    private let externalChanges = Mailbox<Void>()
    private let applications = Mailbox<[PreferenceChange]>()
    /// The changes of every request, in order.
    nonisolated var applied: Mailbox<[PreferenceChange]>.Messages { applications.messages }
    /// The number of requests that load the preferences.
    private(set) var loads = 0
    private var isLoadHeld = false
    private var loadFailures: [ServiceFailure] = []
    private var failures: [ServiceFailure]
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
            ),
            .init(
                id: "builds",
                name: "Builds",
                isOn: false,
                isEditable: true,
                digest: .init(
                    id: "weekly",
                    label: "Weekly",
                    frequency: "weekly",
                    interval: 1,
                    isDefault: true,
                    time: "09:00",
                    start: "2025-08-04",
                    weekdays: ["mo"],
                    editable: [.time, .weekdays]
                ),
                properties: [
                    .init(id: "min_minutes", label: "Shortest build", kind: .integer, value: .integer(5)),
                    .init(
                        id: "branches",
                        kind: .list,
                        defaultValue: .list(["main"]),
                        choices: [
                            .init(label: "Main", value: .text("main")),
                            .init(label: "Release", value: .text("release")),
                        ],
                        isOptional: true
                    ),
                    .init(id: "owner", kind: .text, value: .text("anna"), isEditable: false, isOverridden: true),
                ]
            ),
        ],
        levels: [.init(channel: "email", isOnlyRequired: true), .init(channel: "inbox", isOnlyRequired: false)]
    )

    /// - Parameter failures: The first changes fail in this order.
    init(failures: [ServiceFailure] = []) { self.failures = failures }

    /// The next loads fail in this order.
    func failLoading(_ failures: ServiceFailure...) { loadFailures += failures }

    /// The next changes fail in this order.
    func fail(_ failures: ServiceFailure...) { self.failures += failures }

    /// The next load does not end before it is cancelled.
    func holdLoad() { isLoadHeld = true }

    /// Something changed at the service, which reports it if `isReported`.
    func changeElsewhere(isReported: Bool = true, _ body: @Sendable (inout PreferencesContents) -> Void) {
        body(&current)
        if isReported { externalChanges.send() }
    }

    nonisolated func run(_ changed: @escaping @Sendable () async -> Void) async {
        for await _ in externalChanges.messages { await changed() }
    }

    func load() async throws(ServiceFailure) -> PreferencesContents {
        loads += 1
        if isLoadHeld {
            isLoadHeld = false
            await Completion().wait()
            throw ServiceFailure(.transient, "It was cancelled.")
        }
        if !loadFailures.isEmpty { throw loadFailures.removeFirst() }
        return current
    }

    func apply(_ changes: [PreferenceChange], to contents: PreferencesContents) async throws(ServiceFailure)
        -> PreferenceAnswer
    {
        applications.send(changes)
        if !failures.isEmpty { throw failures.removeFirst() }
        current = current.applying(changes, by: ServiceRules(channelSwitchesCategoryOn: true))
        switch changes.first?.target {
        case .category(let id)?: return .category(try current.category(id))
        case .channel(let name)?: return current.levels.first { $0.channel == name }.map { .level($0) } ?? .accepted
        case .topic, nil: return .accepted
        }
    }
}
