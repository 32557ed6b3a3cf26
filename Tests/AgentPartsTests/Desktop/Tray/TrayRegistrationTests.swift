import DBus
import TestSupport
import Testing

@testable import Agent

@Suite struct TrayRegistrationTests {
    private let first: BusName = ":1.5"
    private let second: BusName = ":1.9"

    @Test("The icon is added where a host exists, and again at the next watcher") func registration() {
        var registration = TrayRegistration()
        #expect(registration.receive(.watcher(first)) == [])
        #expect(registration.receive(.enabled(true)) == [.requestName, .askForHosts(first)])
        #expect(registration.receive(.hosts(false, of: first)) == [])
        #expect(registration.receive(.hostsChanged) == [.askForHosts(first)])
        #expect(registration.receive(.hosts(true, of: first)) == [.add(first)])
        #expect(registration.receive(.hosts(true, of: first)) == [])
        #expect(registration.receive(.watcher(nil)) == [.withdraw])
        #expect(registration.receive(.hostsChanged) == [])
        #expect(registration.receive(.watcher(second)) == [.askForHosts(second)])
        #expect(registration.receive(.hosts(true, of: second)) == [.add(second)])
        // Replaced without an absence.
        #expect(registration.receive(.watcher(first)) == [.withdraw, .askForHosts(first)])
    }

    @Test("The icon is removed with the last host, or when the user does not want it") func removal() {
        var registration = TrayRegistration()
        _ = registration.receive(.enabled(true))
        #expect(registration.receive(.watcher(first)) == [.askForHosts(first)])
        #expect(registration.receive(.hosts(true, of: first)) == [.add(first)])
        #expect(registration.receive(.hosts(false, of: first)) == [.releaseName, .withdraw])
        #expect(registration.receive(.hosts(true, of: first)) == [.requestName, .add(first)])
        #expect(registration.receive(.enabled(false)) == [.releaseName, .withdraw])
        #expect(registration.receive(.hosts(true, of: first)) == [])
        #expect(registration.receive(.enabled(true)) == [.requestName, .askForHosts(first)])
    }

    /// The AppIndicator extension of GNOME Shell vanishes when the screen is locked, and recognizes an item by the
    /// names that it had when the extension was started again.
    @Test("The item has its name before a watcher appears, and keeps it without one") func name() {
        var registration = TrayRegistration()
        #expect(registration.receive(.enabled(true)) == [.requestName])
        _ = registration.receive(.watcher(first))
        #expect(registration.receive(.hosts(true, of: first)) == [.add(first)])
        #expect(registration.receive(.watcher(nil)) == [.withdraw])
        #expect(registration.receive(.watcher(second)) == [.askForHosts(second)])
        #expect(registration.receive(.hosts(true, of: second)) == [.add(second)])
        #expect(registration.receive(.hosts(false, of: second)) == [.releaseName, .withdraw], "its watcher stays")
        #expect(registration.receive(.watcher(nil)) == [.requestName], "for the next one")
        #expect(registration.receive(.enabled(false)) == [.releaseName])
    }

    @Test("An answer of a previous watcher is ignored") func lateAnswer() {
        var registration = TrayRegistration()
        _ = registration.receive(.enabled(true))
        _ = registration.receive(.watcher(first))
        _ = registration.receive(.watcher(second))
        #expect(registration.receive(.hosts(true, of: first)) == [])
        #expect(registration.receive(.hosts(true, of: second)) == [.add(second)])
        #expect(registration.receive(.refused(by: first)) == [])
        #expect(registration.receive(.refused(by: second)) == [.releaseName, .withdraw])
    }

    @Test("Additions and removals alternate in any order of events", arguments: 1...100 as ClosedRange<UInt64>)
    func anyOrder(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var registration = TrayRegistration()
        var addedTo: BusName?
        var hasName = false
        for _ in 0..<200 {
            let name = Bool.random(using: &random) ? first : second
            let events: [TrayRegistration.Event] = [
                .enabled(Bool.random(using: &random)), .watcher(name), .watcher(nil), .hostsChanged,
                .hosts(Bool.random(using: &random), of: name), .refused(by: name),
            ]
            for effect in registration.receive(events.randomElement(using: &random) ?? .hostsChanged) {
                switch effect {
                case .askForHosts: break
                case .requestName:
                    #expect(!hasName)
                    hasName = true
                case .releaseName:
                    #expect(hasName)
                    hasName = false
                case .add(let watcher):
                    #expect(hasName && addedTo == nil)
                    addedTo = watcher
                case .withdraw:
                    #expect(addedTo != nil)
                    addedTo = nil
                }
            }
        }
    }
}
