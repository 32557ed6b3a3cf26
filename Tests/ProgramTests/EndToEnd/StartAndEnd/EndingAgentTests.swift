import AgentInterface
import AgentTestSupport
import Basics
import DBus
import Glibc
import Sandbox
import TestSupport
import Testing

/// The built agent is ended while the notification server has not yet answered.
@Suite(.sessionBus, .timeLimit(.minutes(5))) struct EndingAgentTests {
    /// A server that reports the title of each `Notify`, and answers to the first one after ``answer`` is finished.
    private struct SlowServer {
        let titles = Mailbox<String>()
        let answer = Completion()

        func object() -> ExportedObject {
            var object = ExportedObject(FreedesktopNotifications.path)
            object.handle(FreedesktopNotifications.getServerInformation) { ("slow", "test", "1", "1.2") }
            object.handle(FreedesktopNotifications.getCapabilities) { TerminalServer.defaultCapabilities }
            object.handle(FreedesktopNotifications.closeNotification) { _ in }
            object.handle(FreedesktopNotifications.notify) { [titles, answer] _, _, _, title, _, _, _, _ in
                titles.send(title)
                await answer.wait()
                return 1
            }
            return object
        }
    }

    private var sandbox: Sandbox { .current }

    enum Ending: CaseIterable, Sendable { case signal, replacement }

    @Test(
        "A popup that the server confirms while the agent ends is not shown again",
        .sandbox(users: ["anna"]),
        arguments: Ending.allCases
    ) func lateAnswer(ending: Ending) async throws {
        let server = SlowServer()
        try await withBus { bus in
            try await bus.export(server.object())
            _ = try await bus.requestName(FreedesktopNotifications.busName)
            try await TemporaryFile.with(AgentConfiguration.account()) { file in
                try await BuiltAgent.keepingState(beside: file) { agent in
                    try await agent.account.wait(AgentAccount.state, is: "online")
                    try await sandbox.publish(["header": "First"])
                    #expect(await server.titles.messages.next() == "First")
                    switch ending {
                    case .signal: agent.program.send(SIGTERM)
                    case .replacement:
                        let flags: NameFlags = [.doNotQueue, .replaceExisting]
                        #expect(try await bus.requestName(AgentNames.busName, flags: flags).isOwner)
                    }
                    _ = try await agent.program.wait(for: "waiting for the popup")
                    server.answer.finish()
                    if ending == .replacement { _ = try await bus.releaseName(AgentNames.busName) }
                }
                try await BuiltAgent.keepingState(beside: file) { agent in
                    try await agent.account.wait(AgentAccount.state, is: "online")
                    try await sandbox.publish(["header": "Second"])
                    #expect(await server.titles.messages.next() == "Second")
                }
            }
        }
    }

    @Test(
        "A click right before the agent ends is recorded, and its link is opened",
        .sandbox(users: ["anna"]),
        arguments: Ending.allCases
    ) func lastClick(ending: Ending) async throws {
        try await withBus { bus in
            let requests = Mailbox<String>()
            var portal = ExportedObject("/org/freedesktop/portal/desktop")
            portal.handle(FakePortal.openURI) { _, url, _ in
                requests.send(url)
                return "/org/freedesktop/portal/desktop/request/1"
            }
            try await bus.export(portal)
            _ = try await bus.requestName("org.freedesktop.portal.Desktop")
            let server = TerminalServer(bus: bus)
            try await server.serving {
                try await TemporaryFile.with(AgentConfiguration.account()) { file in
                    var id = ""
                    var log: [String] = []
                    try await BuiltAgent.keepingState(beside: file) { agent in
                        try await agent.account.wait(AgentAccount.state, is: "online")
                        let content: JSON = ["header": "Sale", "url": "https://example.com/"]
                        id = try await sandbox.publish(content)
                        let popup = try #require(await server.notifications.next())
                        try await server.invoke(id: popup.id)
                        // After its reply the bus has the server's signal.
                        _ = try await bus.nameOwner(of: "org.freedesktop.portal.Desktop")
                        switch ending {
                        case .signal: agent.program.send(SIGTERM)
                        case .replacement:
                            let flags: NameFlags = [.doNotQueue, .replaceExisting]
                            #expect(try await bus.requestName(AgentNames.busName, flags: flags).isOwner)
                        }
                        await agent.program.ended()
                        if ending == .replacement { _ = try await bus.releaseName(AgentNames.busName) }
                        log = agent.program.log
                    }
                    requests.close()
                    let opened = await requests.messages.next()
                    #expect(opened == "https://example.com/", "\(log.joined(separator: "\n"))")
                    try await BuiltAgent.keepingState(beside: file) {
                        try await $0.waitForRequest("interacted", of: id)
                    }
                }
            }
        }
    }

    /// A server that is stopped has the call in its queue, and shows the popup when it continues.
    @Test(
        "A popup not confirmed by the server when the agent ends is shown again only if the server has ended, too",
        .sandbox(users: ["anna"]),
        arguments: [false, true]
    ) func noAnswer(serverEnds: Bool) async throws {
        try await TemporaryFile.with(AgentConfiguration.account()) { file in
            let server = SlowServer()
            try await withBus { bus in
                try await bus.export(server.object())
                _ = try await bus.requestName(FreedesktopNotifications.busName)
                try await BuiltAgent.keepingState(beside: file) { agent in
                    try await agent.account.wait(AgentAccount.state, is: "online")
                    try await sandbox.publish(["header": "First"])
                    #expect(await server.titles.messages.next() == "First")
                    agent.program.send(SIGTERM)
                    await agent.program.ended()
                }
                if serverEnds { await bus.close() }
                server.answer.finish()
                try await withBus { bus in
                    let next = SlowServer()
                    next.answer.finish()
                    if serverEnds {
                        try await bus.export(next.object())
                        _ = try await bus.requestName(FreedesktopNotifications.busName)
                    }
                    try await BuiltAgent.keepingState(beside: file) { agent in
                        try await agent.account.wait(AgentAccount.state, is: "online")
                        let titles = (serverEnds ? next : server).titles
                        if serverEnds { #expect(await titles.messages.next() == "First") }
                        try await sandbox.publish(["header": "Second"])
                        #expect(await titles.messages.next() == "Second")
                    }
                }
            }
        }
    }
}
