import AgentInterface
import ArgumentParser
import DBus
import FoundationEssentials
import VisibleText

struct ReplaceToken: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token",
        _superCommandName: Feedbell.name,
        abstract: "Store a new token of an account",
        discussion: """
            Prompts for the token on a terminal, without showing it, and otherwise reads standard input. Asks the \
            service whether it accepts the token, replaces the present one in the Secret Service or in the account's \
            token_file, and reconnects the running agent. Until then the present token stays.

            Examples:
              $ feedbell accounts token work
              $ new-token | feedbell accounts token work

            Exit codes: 0 stored (also if no agent is running), 4 stored, but the agent cannot sign in with it, 64 no \
            such account or its token is stored elsewhere, 65 not a valid token, 69 the service did not answer or \
            there is no Secret Service, 73 cannot write the token's file, 77 the service refused the token, or the \
            keyring stayed locked or failed, 78 invalid configuration.
            """
    )

    @OptionGroup var target: AccountTarget
    @Flag(help: "Store the token without a request to the service.") var noVerify = false

    func run() async throws {
        // Before a prompt whose answer would be of no use.
        try await request(nil, isVerified: !noVerify)
        Output.sentences(try await store())
        try await reconnect()
    }

    @discardableResult private func request(_ token: String?, isVerified: Bool) async throws -> [String] {
        try await target.request(.storeToken(token, account: target.name, isVerified: isVerified))
    }

    /// Prompts until there is a token that is stored. Without a terminal, there is one attempt.
    private func store() async throws -> [String] {
        let dialogue = Dialogue()
        guard dialogue.isPossible else { return try await request(try dialogue.input(), isVerified: !noVerify) }
        var question = translated("New token of {account} (not shown)", ["account": target.name.onOneLine])
        while true {
            guard let token = try dialogue.askSecret(question) else { continue }
            do {
                return try await store(token, dialogue)
            } catch let failure as Failure where [.noToken, Self.refused].contains(failure.code) {
                StandardStream.error.write("\(failure.sentence.printable)\n")
                question = translated("Paste it again")
            }
        }
    }

    /// Stores a token. While the service does not answer, asks what to do, and keeps the token.
    private func store(_ token: String, _ dialogue: Dialogue) async throws -> [String] {
        var isVerified = !noVerify
        while true {
            do {
                return try await request(token, isVerified: isVerified)
            } catch let failure as Failure where failure.code == .unavailable && isVerified {
                dialogue.say(failure.sentence)
                switch try dialogue.choose(translated("[r]etry, [s]ave without check, [q]uit"), of: 3) {
                case 0: continue
                case 1: isVerified = false
                default: throw Dialogue.abandoned
                }
            }
        }
    }

    /// The service refused the token (`EX_NOPERM`).
    private static let refused = ExitCode(77)
    /// How long the agent's connection is waited for, in steps of ``interval``.
    private static let attempts = 100
    private static let interval = Duration.milliseconds(100)

    /// Lets the running agent use the token, and reports the result.
    private func reconnect() async throws {
        do {
            let isOnline = try await isOnlineAfterReconnect()
            Output.text(
                isOnline
                    ? translated("{account} is online.", ["account": target.name.onOneLine])
                    : translated("The agent is connecting. Check with: feedbell status")
            )
        } catch let failure as Failure where failure.code == .noAgent {
            Output.text(AccountConnection.noAgent(isOwnFile: target.config == nil).sentence)
        }
    }

    private func isOnlineAfterReconnect() async throws -> Bool {
        let account = try await AgentObject.root().account(target.name)
        let before = try await account.properties(AgentAccount.self).value(AgentAccount.stateSince)
        try await account.call(AgentAccount.reconnect)
        for _ in 0..<Self.attempts {
            if try isOnline(try await account.properties(AgentAccount.self), since: before) { return true }
            try await Task.sleep(for: Self.interval)
        }
        return false
    }

    /// Whether the agent has signed in. Throws if the token was refused after `before`.
    private func isOnline(_ account: PropertyValues<AgentAccount>, since before: Int64?) throws -> Bool {
        let state = try account.value(AgentAccount.state)
        if state == "unauthorized", try account.value(AgentAccount.stateSince) != before {
            throw Failure(try account.value(AgentAccount.lastError)?.elements.1 ?? "", .attentionNeeded)
        }
        return state == "online"
    }
}
