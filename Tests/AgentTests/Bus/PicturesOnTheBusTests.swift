import AgentInterface
import Basics
import DBus
import Inbox
import TestSupport
import Testing

/// The picture of a notification, for clients that use no network.
@Suite(.sessionBus, .timeLimit(.minutes(5))) struct PicturesOnTheBusTests {
    @Test("Picture returns the file that the agent has loaded, once for all callers, and an empty text for none")
    func pictures() async throws {
        let source = FakePictures()
        try await InProcessAgent.with(pictures: source) { agent in
            try await agent.service().store(.sample("n1"))
            for file in ["/cache/a.png", nil] {
                async let first = agent.account.call(AgentInbox.picture, "n1")
                async let second = agent.account.call(AgentInbox.picture, "n1")
                let url = try #require(await source.requested.messages.next())
                #expect(await source.requested.messages.next() == url, "both wait")
                source.loaded.send((url, file))
                #expect(try await [first, second] == [file ?? "", file ?? ""])
            }
            var plain = Notification.sample("n2")
            plain.avatar = ""
            try await agent.service().store(plain)
            var local = Notification.sample("n3")
            local.avatar = "file:///etc/passwd"
            try await agent.service().store(local)
            for id in ["n2", "n3"] { #expect(try await agent.account.call(AgentInbox.picture, id) == "") }
            let error = await #expect(throws: DBusError.self) {
                try await agent.account.call(AgentInbox.picture, "none")
            }
            #expect(error?.name == AgentErrors.notFound)
        }
    }

    @Test("Pictures that the configuration switches off are not loaded") func switchedOff() async throws {
        let source = FakePictures()
        try await InProcessAgent.with(popups: "[popups]\npictures = false\n", pictures: source) { agent in
            try await agent.service().store(.sample("n1"))
            #expect(try await agent.account.call(AgentInbox.picture, "n1") == "")
        }
    }
}
