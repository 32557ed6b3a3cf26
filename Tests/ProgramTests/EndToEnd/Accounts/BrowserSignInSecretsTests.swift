import AgentInterface
import AgentTestSupport
import DBus
import Foundation
import Sandbox
import Subprocess
import Synchronization
import TestSupport
import Testing

/// Where the secrets of a sign-in with the browser are: in the keyring and in the agent's memory.
@Suite(.sessionBus, .timeLimit(.minutes(5))) struct BrowserSignInSecretsTests {
    @Test(
        "No code, proof key or token crosses the bus, or is in a log, a file or the arguments of a process",
        .sandbox(BrowserSignInCommandTests.options("anna"))
    )
    func nowhereElse() async throws {
        let sandbox = Sandbox.current
        let arguments = ProcessArguments()
        try await TemporaryFile.with(BrowserSignInCommandTests.account()) { file in
            var log: [String] = []
            let traffic = try await arguments.recorded {
                try await BusTraffic.recorded {
                    try await withBus { bus in
                        try await FakeSecretService(bus: bus).appear()
                        let environment = BuiltAgent.shortWaits.merging(["DISPLAY": ":0"]) { $1 }
                        try await BuiltAgent.keepingState(beside: file, environment: environment) { agent in
                            try await agent.server.serving {
                                let popup = try #require(await agent.server.notifications.next())
                                try await agent.server.invoke(id: popup.id, action: "sign-in")
                                try await Person.answers(try await agent.opened.next()[0], as: "anna")
                                try await agent.account.wait(AgentAccount.state, is: "online")
                            }
                            // Another token, from another access token.
                            try await sandbox.execute("rotate-tokens")
                            try await sandbox.publish(["header": "Later", "text": "x"])
                            try await agent.waitForList(count: 1)
                            log = agent.program.log
                        }
                    }
                }
            }
            let secrets = try #require(await sandbox.state.signIn?.secrets)
            #expect(secrets.count >= 4 && !log.isEmpty && arguments.contain("feedbell-agent"))
            let files = try Self.contents(of: file.directory)
            #expect(!files.isEmpty && traffic.contains("SignInFinished"))
            for secret in secrets {
                #expect(!traffic.contains(secret) && !arguments.contain(secret))
                #expect(!log.contains { $0.contains(secret) })
                #expect(files.allSatisfy { $0.range(of: Data(secret.utf8)) == nil })
            }
        }
    }

    /// Of all files in a directory and below it.
    private static func contents(of directory: String) throws -> [Data] {
        let paths = try FileManager.default.subpathsOfDirectory(atPath: directory)
        return paths.compactMap { FileManager.default.contents(atPath: directory + "/" + $0) }
    }

    @Test(
        "A locked keyring asks once: who refuses is signed in until the agent ends",
        // doctor has no token to ask with.
        .sandbox(BrowserSignInCommandTests.options("anna"), expectsNoViolations: false),
        arguments: [FakeSecretService.Answer.agree, .dismiss]
    )
    func lockedKeyring(answer: FakeSecretService.Answer) async throws {
        try await withBus { bus in
            let keyring = FakeSecretService(bus: bus, answer: answer, isCollectionLocked: true)
            try await keyring.appear()
            try await TemporaryFile.with(BrowserSignInCommandTests.account()) { file in
                try await signIn(file) { agent in
                    let prompts = await keyring.promptCount
                    #expect(prompts == 1)
                    guard answer == .dismiss else { return }
                    _ = try await agent.program.wait(for: "a sign-in lasts only until")
                    await keyring.unlock()
                    let doctor = try await Programs.run("feedbell", ["doctor", "--config", file.path]).output
                    #expect(doctor.contains("The keyring has not stored the sign-in"), "\(doctor)")
                    #expect(!doctor.contains("Nobody has signed in yet"))
                }
                try await expectSignedIn(answer == .agree, file)
            }
        }
    }

    @Test("Without a keyring a sign-in lasts until the agent ends", .sandbox(BrowserSignInCommandTests.options("anna")))
    func noKeyring() async throws {
        try await TemporaryFile.with(BrowserSignInCommandTests.account()) { file in
            try await signIn(file) { agent in _ = try await agent.program.wait(for: "a sign-in lasts only until") }
            try await expectSignedIn(false, file)
        }
    }

    private func signIn(_ file: TemporaryFile, _ body: (BuiltAgent) async throws -> Void) async throws {
        let environment = BuiltAgent.shortWaits.merging(["DISPLAY": ":0"]) { $1 }
        try await BuiltAgent.keepingState(beside: file, environment: environment) { agent in
            try await agent.account.wait(AgentAccount.state, is: "unauthorized")
            try await agent.root.call(AgentRoot.signIn, "work", SignInOptions().dictionary)
            try await Person.answers(try await agent.opened.next()[0], as: "anna")
            try await agent.account.wait(AgentAccount.state, is: "online")
            try await body(agent)
        }
    }

    /// Whether a later agent is let in.
    private func expectSignedIn(_ isSignedIn: Bool, _ file: TemporaryFile) async throws {
        try await BuiltAgent.keepingState(beside: file, environment: BuiltAgent.shortWaits) { agent in
            if isSignedIn { return try await agent.account.wait(AgentAccount.state, is: "online") }
            try await agent.account.wait(AgentAccount.lastError) { $0.elements.0 == AgentErrors.notSignedIn.text }
        }
    }
}

/// The arguments of all processes that there are meanwhile.
private final class ProcessArguments: Sendable {
    private let lines = Mutex<Set<String>>([])

    func contain(_ text: String) -> Bool { lines.withLock { $0.contains { $0.contains(text) } } }

    func recorded<Result: Sendable>(_ body: () async throws -> Result) async throws -> Result {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                while !Task.isCancelled {
                    let processes = try FileManager.default.contentsOfDirectory(atPath: "/proc")
                    for process in processes where process.first?.isNumber == true {
                        guard let bytes = FileManager.default.contents(atPath: "/proc/\(process)/cmdline") else {
                            continue
                        }
                        let line = String(decoding: bytes, as: UTF8.self)
                        self.lines.withLock { _ = $0.insert(line) }
                    }
                    await Task.yield()
                }
            }
            defer { group.cancelAll() }
            return try await body()
        }
    }
}
