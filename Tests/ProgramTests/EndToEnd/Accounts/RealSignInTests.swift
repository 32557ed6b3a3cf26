import AgentInterface
import AgentTestSupport
import DBus
import Foundation
import Sandbox
import TestSupport
import Testing

/// A sign-in at a stock authorization server, through the built programs.
@Suite(.sessionBus, .timeLimit(.minutes(5))) struct RealSignInTests {
    @Test(
        "A person signs in at a server that we did not write, and notifications come until the sign-in is revoked",
        .sandbox(users: ["anna"])
    )
    func life() async throws {
        let sandbox = Sandbox.current
        let script = Checkout.root.appending(path: "Tests/AgentPartsTests/OAuth/StockServer/server.py").path
        try await withBus { bus in
            try await FakeSecretService(bus: bus).appear()
            try await TemporaryFile.with("") { file in
                try await PythonServer.running(script, [file.directory]) { server in
                    let origin = "http://127.0.0.1:\(server.port)"
                    func ask(_ command: String) async throws {
                        try await server.send(command)
                        _ = try #require(await server.line())
                    }
                    let account =
                        AgentConfiguration.account(url: sandbox.baseURL, hasToken: false) + """
                            token_url = "\(origin)/app/token"
                            [accounts.work.sign_in]
                            issuer = "\(origin)/o"
                            client_id = "feedbell"
                            scopes = ["openid", "inbox"]

                            """
                    try file.write(account)
                    try await BuiltAgent.keepingState(beside: file, environment: BuiltAgent.shortWaits) { agent in
                        let options = SignInOptions().dictionary
                        try await agent.root.call(AgentRoot.signIn, "work", options)
                        let address = try await agent.opened.next()[0]
                        try await ask(#"["visit", "\#(address)", "anna", true]"#)
                        try await agent.account.wait(AgentAccount.state, is: "online")
                        try await sandbox.publish(["header": "Welcome", "text": "x"])
                        try await agent.waitForList(count: 1)
                        // The service refuses the token: a refresh at the server gives another one.
                        try await ask(#"["claims", {"generation": 2}]"#)
                        try await sandbox.perform(.rotateTokens)
                        try await sandbox.publish(["header": "Later", "text": "x"])
                        try await agent.waitForList(count: 2)
                        try await ask(#"["revoke", "anna"]"#)
                        try await sandbox.perform(.rotateTokens)
                        try await sandbox.perform(.drop(.hangUp(.reset)))
                        try await agent.account.wait(AgentAccount.state, is: "unauthorized")
                        // A token that is refused as soon as it was given is asked for again later, or on request.
                        try await agent.account.call(AgentAccount.reconnect)
                        try await agent.account.wait(AgentAccount.lastError) {
                            $0.elements.0 == AgentErrors.signInEnded.text
                        }
                    }
                }
            }
        }
    }
}
