import AgentInterface
import DBus
import Sandbox
import TestSupport
import Testing

/// The order of the built agent's messages to the bus for a new notification.
@Suite(.sessionBus, .timeLimit(.minutes(5))) struct PopupFirstTests {
    @Test(
        "The popup is sent before the signals about the same notification, which come in their order",
        arguments: TestedService.allCases
    ) func order(service: TestedService) async throws {
        try await service.withAgent { sandbox, agent in
            let signals = try await agent.account.signals(of: AgentInbox.self)
            func publish(_ title: String) async throws {
                try await sandbox.publish(service.fields(title))
                _ = try await agent.popup()
                let arrived = try await signals.next { try AgentInbox.notificationArrived.decode($0) != nil }
                #expect(arrived != nil)
            }
            // After this one, the agent knows the notification server.
            try await publish("Parcel 16")
            let traffic = try await BusTraffic.recorded { try await publish("Parcel 17") }
            let popup = try #require(traffic.firstIndex(of: "Parcel 17"))
            let added = try #require(traffic.firstIndex(of: AgentInbox.notificationAdded.name.text))
            let arrived = try #require(traffic.firstIndex(of: AgentInbox.notificationArrived.name.text))
            #expect(popup < added && added < arrived)
        }
    }
}
