import Agent
import AgentInterface
import Basics
import DBus
import FoundationEssentials
import Inbox
import Sandbox
import ServiceKit
import Store
import TestSupport
import Testing
import Transport

/// The account of a third service in the agent, from the service's events to popups and from clicks to the service.
@Suite(.sessionBus, .timeLimit(.minutes(5))) struct EchoAccountTests {
    @Test("A new service's inbox is listed page by page, with its counts") func list() async throws {
        try await EchoAgent.withService { echo in
            for number in 1...150 { await echo.publish("T\(number)") }
            try await echo.run {
                #expect(try await echo.account.get(AgentAccount.provider) == "echo")
                #expect(try await echo.account.get(AgentAccount.user) == "anna")
                try await echo.account.wait(AgentInbox.unreadCount, is: 150)
                #expect(try await echo.account.get(AgentInbox.totalCount) == 150)
                let all = try await echo.account.call(AgentInbox.list, ["limit": .uint32(150)])
                #expect(all.map { $0["title"] } == (1...150).reversed().map { .string("T\($0)") })
                // It has no popups: all of it was there before the account.
                #expect(try await echo.account.call(AgentInbox.get, "n1")["title"] == .string("T1"))
                await #expect(throws: DBusError.self) { try await echo.account.call(AgentInbox.get, "none") }
                #expect(await echo.sandbox.violations.isEmpty)
            }
        }
    }

    @Test("A notification pops up once, also after a restart, and a click is recorded at the service") func popup()
        async throws
    {
        try await EchoAgent.withService { echo in
            let store = StateStore()
            var popups = echo.desktop.popups.makeAsyncIterator()
            var links = echo.desktop.links.makeAsyncIterator()
            try await echo.run(store: store) {
                await echo.publish("one", link: "https://example.com/one")
                let popup = try #require(await popups.next())
                #expect(popup.title == "one")
                try await echo.desktop.click(popup.id)
                #expect(await links.next() == "https://example.com/one")
                try await echo.waitForMark("followed", of: "one")
                try await echo.account.wait(AgentInbox.unreadCount, is: 0)
                await echo.publish("two")
                let second = try #require(await popups.next())
                #expect(second.title == "two")
                // It is on the disk that it was shown.
                try await waiting(for: "the recorded popup") {
                    try await store.popups().values.contains { $0[second.id] != nil }
                }
            }
            await echo.publish("three")
            try await echo.run(store: store) {
                #expect(await popups.next()?.title == "three")
                await echo.publish("four")
                #expect(await popups.next()?.title == "four")
            }
        }
    }

    @Test("An action is confirmed by the service, or taken back when it is refused") func actions() async throws {
        try await EchoAgent.withService { echo in
            for title in ["one", "two", "three"] { await echo.publish(title) }
            try await echo.run {
                try await echo.account.wait(AgentInbox.unreadCount, is: 3)
                try await echo.account.call(AgentInbox.markRead, ["n1"])
                try await echo.waitForMark("read", of: "one")
                try await echo.account.call(AgentInbox.archive, ["n1"])
                try await echo.account.wait(AgentInbox.totalCount, is: 2)
                try await echo.account.call(AgentInbox.delete, ["n2"])
                try await echo.account.wait(AgentInbox.totalCount, is: 1)
                try await echo.account.wait(AgentAccount.pendingActions, is: 0)
                let archived = try await echo.account.call(AgentInbox.list, ["archived": .bool(true)])
                #expect(archived.map { $0["title"] } == [.string("one")])

                let failures = try await echo.account.signals(of: AgentInbox.self)
                let refusal = ServiceResponse(status: 422, json: ["error": "Not today."])
                try await echo.sandbox.perform(.fault(RequestFault(.respond(refusal), method: "PATCH", path: "/notif")))
                try await echo.account.call(AgentInbox.markRead, ["n3"])
                let failure = try await failures.pick { try AgentInbox.actionFailed.decode($0) }
                let (action, ids, _, sentence) = try #require(failure)
                #expect(action == "MarkRead" && ids == ["n3"] && sentence.contains("Not today."))
                try await echo.account.wait(AgentInbox.unreadCount, is: 1)

                try await echo.account.call(AgentInbox.markAllRead)
                try await echo.waitForMark("read", of: "three")
                try await echo.account.wait(AgentInbox.unreadCount, is: 0)
            }
        }
    }

    @Test("A preference is changed at the service, reverted when it is refused, and follows other clients")
    func preferences() async throws {
        try await EchoAgent.withService { echo in
            try await echo.run {
                let account = echo.account
                func isOn() async throws -> [Value?] {
                    try await account.call(AgentPreferences.list).map { $0["preference"] }
                }
                #expect(try await isOn() == [.string("opt_in"), .string("opt_in")])
                try await account.call(AgentPreferences.setCategory, "news", "opt_out")
                #expect(try await isOn() == [.string("opt_out"), .string("opt_in")])
                try await account.call(AgentPreferences.flush)
                try await echo.sandbox.wait {
                    $0.simulated(EchoSimulation.self)?.categories["news"] == false ? true : nil
                }

                let failures = try await account.signals(of: AgentPreferences.self)
                await echo.change { service in
                    service.refusal = "Not today."
                    return []
                }
                try await account.call(AgentPreferences.setCategory, "news", "opt_in")
                let failure = try await failures.pick { try AgentPreferences.updateFailed.decode($0) }
                let (category, _, sentence) = try #require(failure)
                #expect(category == "news" && sentence.contains("Not today."))
                #expect(try await isOn() == [.string("opt_out"), .string("opt_in")])
                await #expect(throws: DBusError.self) {
                    try await account.call(AgentPreferences.setCategory, "security", "opt_out")
                }

                let updates = try await account.signals(of: AgentPreferences.self)
                await echo.change { $0.switchCategory("news", on: true) }
                _ = try await updates.next { try AgentPreferences.updated.decode($0) != nil }
                #expect(try await isOn() == [.string("opt_in"), .string("opt_in")])
            }
        }
    }

    @Test("After a broken connection, and one that is refused, what has arrived meanwhile pops up") func reconnect()
        async throws
    {
        try await EchoAgent.withService { echo in
            var popups = echo.desktop.popups.makeAsyncIterator()
            await echo.publish("before")
            try await echo.run {
                let upgrade = ServiceResponse(status: 503, json: ["error": "Busy."])
                try await echo.sandbox.perform(.fault(RequestFault(.respond(upgrade), path: "/socket", times: 1_000)))
                await echo.change { $0.cut() }
                try await echo.account.wait(AgentAccount.state, is: "offline")
                await echo.publish("one")
                await echo.publish("two")
                try await echo.sandbox.perform(.clearFaults)
                try await echo.account.wait(AgentAccount.state, is: "online")
                #expect(await popups.next()?.title == "one")
                #expect(await popups.next()?.title == "two")
                await echo.publish("three")
                #expect(await popups.next()?.title == "three")
            }
        }
    }

    @Test("A refused token is reported with what to do, and a new one is used on request") func token() async throws {
        try await EchoAgent.withService { echo in
            await echo.change { service in
                service.tokens = ["echo-2"]
                return []
            }
            try await echo.run(until: "unauthorized") {
                let error = try await echo.account.get(AgentAccount.lastError).elements.1
                #expect(error == "Echo does not accept your token. Store a new one: feedbell accounts token wall")
                try EchoAgent.write("echo-2\n", to: echo.tokenFile)
                try await echo.account.call(AgentAccount.reconnect)
                try await echo.account.wait(AgentAccount.state, is: "online")
                // The token is revoked while the account is online.
                await echo.change { service in
                    service.tokens = ["echo-3"]
                    return service.cut()
                }
                try await echo.account.wait(AgentAccount.state, is: "unauthorized")
            }
        }
    }

    @Test("A token that cannot be read is reported with its file") func unreadableToken() async throws {
        try await EchoAgent.withService { echo in
            try FileManager.default.removeItem(atPath: echo.tokenFile)
            try await echo.run(until: "unauthorized") {
                let error = try await echo.account.get(AgentAccount.lastError).elements.1
                #expect(error.contains("\"\(echo.tokenFile)\" (token_file) cannot be read"))
            }
        }
    }

    @Test("A new service's findings are those of doctor") func findings() async throws {
        try await EchoAgent.withService { echo in
            func findings(_ configuration: String) async throws -> [Finding] {
                var findings: [Finding] = []
                try await EchoAgent.withFile(configuration) { file in
                    try await NIOTransport.withTransport(logger: EchoAgent.logger) { transport in
                        findings = await Check(file: file, environment: EchoAgent.environment(transport)).run()
                    }
                }
                return findings
            }
            let good = try await findings(echo.configuration)
            #expect(good.map(\.topic) == [.configuration, .token, .network, .network, .credentials, .clock])
            #expect(good.allSatisfy { $0.level == .ok })
            #expect(good.dropFirst(4).first?.sentence == "Echo accepts the token of \"anna\".")

            await echo.change { service in
                service.tokens = []
                return []
            }
            let refused = try #require(try await findings(echo.configuration).first { $0.topic == .credentials })
            #expect(refused.level == .problem && refused.sentence.contains("The token is unknown."))
            let unreachable = try await findings(
                echo.configuration.replacing(echo.sandbox.baseURL, with: "http://127.0.0.1:1")
            )
            #expect(unreachable.contains { $0.topic == .network && $0.level == .problem })
            let none = try await findings(echo.configuration.replacing("token_file", with: "# token_file"))
            #expect(none.contains { $0.topic == .token && $0.sentence == "Echo needs a token." })
        }
    }
}
