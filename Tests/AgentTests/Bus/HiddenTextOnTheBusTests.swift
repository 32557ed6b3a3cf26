import AgentInterface
import AgentTestSupport
import DBus
import Sandbox
import TestSupport
import Testing

/// Popups without texts: the method `HideText`, the property `TextHidden` and the setting `popups.text`.
@Suite(.sessionBus, .timeLimit(.minutes(5))) struct HiddenTextOnTheBusTests {
    @Test("HideText changes open popups at once, both ways, and is kept in settings.toml") func switched() async throws
    {
        try await withBus { bus in
            let server = TerminalServer(bus: bus)
            try await server.serving {
                try await InProcessAgent.with { agent in
                    try await agent.service().arrive(.sample("n1", title: "secret"))
                    #expect(await server.notifications.next()?.summary == "secret")
                    try await agent.root.call(AgentRoot.hideText, true)
                    #expect(try await agent.root.get(AgentRoot.textHidden))
                    let hidden = await server.notifications.next()
                    #expect(hidden?.summary == "New notification from work" && hidden?.body.isEmpty == true)
                    let settings = TemporaryFile(path: agent.configuration.directory + "/settings.toml")
                    #expect(try settings.read().contains("text = \"hide\""))
                    try await agent.root.call(AgentRoot.hideText, true)
                    try await agent.root.call(AgentRoot.hideText, false)
                    #expect(try await !agent.root.get(AgentRoot.textHidden))
                    #expect(await server.notifications.next()?.summary == "secret")
                    #expect(await server.calls.count == 3)
                }
            }
        }
    }

    @Test("What the user's own file sets is not editable, and stays") func fixed() async throws {
        try await InProcessAgent.with(popups: "[popups]\ntext = \"hide\"\n") { agent in
            #expect(try await agent.root.get(AgentRoot.textHidden))
            let error = await #expect(throws: DBusError.self) { try await agent.root.call(AgentRoot.hideText, false) }
            #expect(error?.name == AgentErrors.notEditable)
            #expect(error?.message.contains("\"popups.text\"") == true)
            #expect(try await agent.root.get(AgentRoot.textHidden))
            try await agent.root.call(AgentRoot.hideText, true)
        }
    }
}
