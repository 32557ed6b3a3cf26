import AgentInterface
import Basics
import ClientKit
import DBus
import Sandbox
import TestSupport
import Testing

@testable import Agent

/// The account of a third service in the agent, from the service's events to popups and from clicks to the service.
@Suite(.sessionBus, .timeLimit(.minutes(5))) struct EchoAccountTests {
    @Test("A new service's notifications pop up, and a click, an action and a preference are recorded at the service")
    func account() async throws {
        try await EchoAgent.run { echo in
            let account = echo.account
            var popups = echo.popups.makeAsyncIterator()
            func publish(_ title: String) async {
                await echo.sandbox.change { (echo: inout EchoSimulation, now) in echo.publish(title, now: now) }
            }
            func waitForMark(_ mark: String, of id: String) async throws {
                try await echo.sandbox.wait { state in
                    let rows = state.simulated(EchoSimulation.self)?.rows ?? []
                    return rows.contains { $0["id"]?.string == id && $0[mark] != nil } ? true : nil
                }
            }
            #expect(try await account.get(AgentAccount.provider) == "echo")
            #expect(try await account.get(AgentAccount.user) == "anna")

            await publish("one")
            let popup = try #require(await popups.next())
            #expect(popup.title == "one")
            try await account.wait(AgentInbox.unreadCount, is: 1)
            let path = FreedesktopNotifications.path
            try await echo.bus.emit(FreedesktopNotifications.actionInvoked, popup.id, "default", from: path)
            try await waitForMark("followed", of: "n1")
            try await account.wait(AgentInbox.unreadCount, is: 0)

            await publish("two")
            #expect(await popups.next()?.title == "two")
            try await account.call(AgentInbox.markRead, ["n2"])
            try await waitForMark("read", of: "n2")
            try await account.wait(AgentAccount.pendingActions, is: 0)
            #expect(try await account.get(AgentInbox.totalCount) == 2)
            let list = try await account.call(AgentInbox.list, [:])
            #expect(list.map { $0["title"] } == [.string("two"), .string("one")])

            let categories = try await account.call(AgentPreferences.list)
            #expect(categories.map { $0["preference"] } == [.string("opt_in")])
            try await account.call(AgentPreferences.setCategory, "news", "opt_out")
            try await account.call(AgentPreferences.flush)
            try await echo.sandbox.wait { $0.simulated(EchoSimulation.self)?.hasNews == false ? true : nil }
            #expect(await echo.sandbox.violations.isEmpty)
        }
    }

    @Test("A new service's findings are those of doctor") func findings() async throws {
        try await EchoAgent.withAccount { _, file, environment in
            let findings = await Check(file: file, environment: environment).run()
            #expect(findings.map(\.topic) == [.configuration, .token, .network, .network, .credentials, .clock])
            #expect(findings.allSatisfy { $0.level == .ok })
        }
    }
}
