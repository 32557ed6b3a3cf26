import ClientKit
import TestSupport
import Testing

@testable import SuprSend

/// Push reports with a service and a storage in memory, and a manual clock.
struct PushWorld {
    let hub = FakeHub()
    let storage = MemoryStorage()
    let clock = ManualClock()

    /// A client as after a start of the program: the storage is what it was.
    func client() throws -> SuprSendClient {
        SuprSendClient(try .test(http: hub, environment: environment(clock: clock)), storage: storage)
    }

    /// The events that were sent, each with the notification's id.
    var sent: [String] {
        get async {
            await hub.bodies.map { "\($0["event"]?.string ?? "") \($0["properties"]?["id"]?.string ?? "")" }
        }
    }

    /// Waits until the storage holds no report.
    func waitUntilEmpty() async {
        while await storage.value(forKey: "PushQueueItems") != "[]", !Task.isCancelled { await Task.yield() }
    }
}

extension PushQueue.Item {
    /// A click on "n1", "n2" and so on.
    static func sample(_ number: Int) -> Self {
        .init(event: "$notification_clicked", nid: "n\(number)", insertID: "i\(number)", time: base)
    }
}
