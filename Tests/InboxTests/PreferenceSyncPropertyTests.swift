import Basics
import Inbox
import TestSupport
import Testing

/// Random orders of changes, answers and loads.
@Suite struct PreferenceSyncPropertyTests {
    private static let rules = ServiceRules(channelSwitchesCategoryOn: true, preferenceDelay: .seconds(1))
    private static let names = ["a", "b", "c"]
    private static let initial = PreferencesContents(
        categories: names.map {
            .init(
                id: $0,
                name: $0,
                isOn: true,
                isEditable: true,
                channels: [.init(name: "email", isOn: false, isEditable: true)],
                digest: .init(id: "weekly", time: "09:00", editable: [.time]),
                properties: [.init(id: "min", kind: .integer, value: .integer(0))]
            )
        },
        levels: names.map { .init(channel: $0, isOnlyRequired: false) }
    )

    private static func change(_ generator: inout SeededGenerator) -> PreferenceChange {
        let name = names.randomElement(using: &generator) ?? ""
        let isOn = Bool.random(using: &generator)
        return switch Int.random(in: 0..<5, using: &generator) {
        case 0: .category(name, isOn: isOn)
        case 1: .channel("email", inCategory: name, isOn: isOn)
        case 2: .overall(channel: name, onlyRequired: isOn)
        case 3: .digest(.init(id: "weekly", time: isOn ? "10:00" : "11:00"), inCategory: name)
        default: .property("min", .integer(isOn ? 1 : 2), inCategory: name)
        }
    }

    @Test(
        "A client that follows the differences has what List returns, which ends as the service's",
        arguments: 0..<100 as Range<UInt64>
    )
    func anyOrder(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var sync = PreferenceSync(rules: Self.rules)
        var (service, client) = (Self.initial, [String: PreferencesContents.Category]())
        var requests: [[PreferenceOutbox.Entry]] = []
        var loads: [(UInt64, PreferencesContents)] = []
        var timers: [OutboxTimer] = []

        func publish() {
            for category in sync.takeDifference() ?? [] { client[category.id] = category }
            #expect(sync.shown?.categories == Self.names.compactMap { client[$0] }, "seed \(seed)")
        }
        func receive(_ event: PreferenceOutbox.Event, _ answer: PreferenceAnswer? = nil) {
            for effect in sync.receive(event, answer: answer) {
                if case .send(let entries) = effect { requests.append(entries) }
                if case .startTimer(let timer, _) = effect { timers.append(timer) }
            }
            publish()
        }
        func finishLoad() {
            guard let index = loads.indices.randomElement(using: &generator) else { return }
            let (number, contents) = loads.remove(at: index)
            sync.finishLoad(number, Int.random(in: 0..<5, using: &generator) == 0 ? nil : contents, now: .zero)
            publish()
        }
        func answer() {
            guard let index = requests.indices.randomElement(using: &generator) else { return }
            let entries = requests.remove(at: index)
            let numbers = entries.map(\.number)
            guard Int.random(in: 0..<4, using: &generator) > 0 else {
                let kind: ServiceFailure.Kind = Bool.random(using: &generator) ? .transient : .rejected
                return receive(.failed(numbers, ServiceFailure(kind, "no"), jitter: 0.5))
            }
            service = service.applying(entries.map(\.change), by: Self.rules)
            switch entries.first?.change.target {
            case .category(let id)?:
                receive(.confirmed(numbers), service.categories.first { $0.id == id }.map { .category($0) })
            default: receive(.confirmed(numbers), .accepted)
            }
        }

        sync.finishLoad(sync.beginLoad(), service, now: .zero)
        _ = sync.takeDifference()
        for category in sync.shown?.categories ?? [] { client[category.id] = category }
        for step in 0..<300 {
            switch Int.random(in: 0..<7, using: &generator) {
            case 0, 1: receive(.submitted(Self.change(&generator)))
            case 2: if let timer = timers.randomElement(using: &generator) { receive(.timerFired(timer)) }
            case 3: answer()
            case 4: loads.append((sync.beginLoad(), service))
            case 5: finishLoad()
            default: receive(Bool.random(using: &generator) ? .reachable : .flush(id: UInt64(step)))
            }
        }
        while sync.outbox.count > 0 {
            receive(.flush(id: 1000))
            while !requests.isEmpty { answer() }
        }
        while !loads.isEmpty { finishLoad() }
        #expect(sync.shown == service, "seed \(seed): every confirmed change is known without another load")
    }
}
