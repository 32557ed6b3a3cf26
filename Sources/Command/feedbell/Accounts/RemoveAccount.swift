import AgentInterface
import ArgumentParser
import DBus
import VisibleText

struct RemoveAccount: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        _superCommandName: Feedbell.name,
        abstract: "Remove an account, its token and its state",
        discussion: """
            Removes the account from the configuration, the token that Feedbell has stored for it, what the agent has \
            kept of its inbox, its popups and cached pictures. Asks before, and says how many actions were not sent \
            yet. It does not change your own config.toml: of an account there, it says which lines to delete.

            Examples:
              $ feedbell accounts remove work
              $ feedbell accounts remove work --yes

            Exit codes: 0 removed, 64 no such account, or it is in a file that programs do not change, 69 there is no \
            Secret Service, 73 cannot change a file, 77 the keyring stayed locked or failed, 78 invalid configuration.
            """
    )

    @OptionGroup var target: AccountTarget
    @Flag(help: "Do not ask.") var yes = false
    @Flag(help: "Leave the token where it is.") var keepSecret = false

    func run() async throws {
        try await target.request(.removeAccount(target.name, keepsSecret: keepSecret, isDryRun: true))
        try await confirm()
        for sentence in try await target.request(
            .removeAccount(target.name, keepsSecret: keepSecret, isDryRun: false)
        ) {
            Output.text(sentence.onOneLine)
        }
        try await reload()
    }

    private func confirm() async throws {
        if yes { return }
        let question = translated(
            "Remove {account} with its token, its state and its popups?",
            ["account": target.name.onOneLine]
        )
        let dialogue = try Dialogue.beforeChange()
        dialogue.say(await waitingActions)
        try dialogue.require(question)
    }

    /// The sentence about actions that the agent has not sent yet.
    private var waitingActions: String {
        get async {
            do {
                let count = try await AgentObject.root().account(target.name).get(AgentAccount.pendingActions)
                if count == 0 { return translated("All its actions were sent.") }
                return translated(
                    "{count} of its actions was not sent yet, and will be discarded.",
                    plural: "{count} of its actions were not sent yet, and will be discarded.",
                    count: Int(count)
                )
            } catch {
                return translated("Actions that were not sent yet will be discarded.")
            }
        }
    }

    /// Lets the running agent disconnect the account.
    private func reload() async throws {
        do {
            let agent = try await AgentObject.root()
            try await agent.call(AgentRoot.reload)
            guard try await agent.accounts()[AgentNames.accountPath(target.name)] != nil else { return }
            Output.text(translated("The running agent uses another configuration and keeps its account."))
        } catch let failure as Failure where failure.code == .noAgent {
            return
        }
    }
}

struct SignOutAccount: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign-out",
        _superCommandName: Feedbell.name,
        abstract: "Remove an account's token, keep its configuration",
        discussion: """
            Removes the token that Feedbell has stored, and disconnects the account. "feedbell accounts token" stores \
            a new one.

            Example:
              $ feedbell accounts sign-out work --yes

            Exit codes: 0 removed, 64 no such account, or its token is stored elsewhere, 69 there is no Secret \
            Service, 73 cannot remove the file, 77 the keyring stayed locked or failed, 78 invalid configuration.
            """
    )

    @OptionGroup var target: AccountTarget
    @Flag(help: "Do not ask.") var yes = false

    func run() async throws {
        try await target.request(.signOut(target.name, isDryRun: true))
        if !yes {
            let question = translated("Remove the token of {account}?", ["account": target.name.onOneLine])
            try Dialogue.beforeChange().require(question)
        }
        Output.sentences(try await target.request(.signOut(target.name, isDryRun: false)))
        do {
            try await AgentObject.root().call(AgentRoot.signOut, target.name)
        } catch let failure as Failure where failure.code == .noAgent || failure.code == .notFound {
            return
        }
    }
}

struct TestAccount: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "test",
        _superCommandName: Feedbell.name,
        abstract: "Check an account's token and connections",
        discussion: """
            Asks the account's service, and changes nothing there. It needs no running agent.

            Example:
              $ feedbell accounts test work

            The exit code is 4 if there is a problem, 5 if there is no such account.
            """
    )

    @OptionGroup var target: AccountTarget
    @Flag(help: "Print a JSON array, as \"feedbell doctor --json\" does.") var json = false

    func run() async throws {
        let findings = await AgentCheck.findings(
            account: target.name,
            configuration: target.config.map(AgentProgram.absolute),
            isTranslated: !json
        )
        let report = DoctorReport(findings: findings)
        json ? Output.json(report.json) : Output.text(report.text(for: .standardOutput), terminator: "")
        if findings.contains(where: { $0.topic == .account }) { throw ExitCode.notFound }
        if report.hasProblem { throw ExitCode.attentionNeeded }
    }
}
