import AgentInterface
import AgentTestSupport
import DBus
import Foundation
import Glibc
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
                        try await sandbox.execute("rotate-tokens")
                        try await sandbox.publish(["header": "Later", "text": "x"])
                        try await agent.waitForList(count: 2)
                        try await ask(#"["revoke", "anna"]"#)
                        try await sandbox.execute("rotate-tokens")
                        try await sandbox.execute("drop", ["how": "reset"])
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

    private static let login = getpwuid(geteuid()).map { String(cString: $0.pointee.pw_name) } ?? ""

    @Test(
        "The preset of the manual and the examples of backends fit together: a user signs in, and is online",
        .sandbox(users: ["\(login)@example.com"]),
        arguments: ["py", "mjs"]
    )
    func manual(language: String) async throws {
        let page = Checkout.root.appending(path: "packaging/build/man/feedbell.toml.5.scd")
        let manual = try String(contentsOf: page, encoding: .utf8)
        let example = try #require(
            manual.split(separator: "A preset for everybody in the company is").dropFirst().first
        )
        let preset = String(try #require(example.split(separator: "```\n").dropFirst().first))
        let script = Checkout.root.appending(path: "Tests/AgentPartsTests/OAuth/StockServer/server.py").path
        let backend = Checkout.root.appending(path: "packaging/installed/examples/token-backend.\(language)").path
        try await TemporaryFile.with("", named: "key.pem") { key in
            try await PythonServer.running(script, [key.directory]) { server in
                let origin = "http://127.0.0.1:\(server.port)"
                func ask(_ command: String) async throws {
                    try await server.send(command)
                    _ = try #require(await server.line())
                }
                try await ask(#"["key", "\#(key.path)", "\#(key.path).public"]"#)
                try await ask(#"["user", "\#(Self.login)"]"#)
                let settings = [
                    "INTROSPECTION_URL=\(origin)/o/introspect/", "INTROSPECTION_CLIENT=backend:secret",
                    "SIGNING_KEY=\(key.path)", "DOMAIN=example.com",
                ]
                let interpreter = language == "py" ? nil : "node"
                try await PythonServer.running(backend, interpreter: interpreter, environment: settings) { backend in
                    let sandbox = Sandbox.current
                    let text =
                        preset
                        .replacing("SS.PUBK.…", with: "SS.PUBK.sandbox")
                        .replacing("https://app.example.com/", with: "http://127.0.0.1:\(backend.port)/")
                        .replacing("https://login.example.com/realms/staff", with: "\(origin)/o")
                        .replacing(
                            "token_url =",
                            with: ["hub_url", "api_url", "socket_url"].map { "\($0) = \"\(sandbox.baseURL)\"\n" }
                                .joined() + "token_url ="
                        )
                    try await withBus { bus in
                        try await FakeSecretService(bus: bus).appear()
                        try await PresetTests.with(preset: text) { _, _, agent in
                            try await agent.root.call(AgentRoot.signIn, "work", SignInOptions().dictionary)
                            let address = try await agent.opened.next()[0]
                            try await ask(#"["visit", "\#(address)", "\#(Self.login)", true]"#)
                            try await agent.account.wait(AgentAccount.state, is: "online")
                        }
                    }
                }
            }
        }
    }
}
