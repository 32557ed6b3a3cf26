import Agent
import ArgumentParser
import FoundationEssentials
import VisibleText

/// `feedbell-agent remove-account`, which `feedbell accounts remove` runs.
struct RemoveAccountCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove-account",
        abstract: "Remove an account and its secret",
        discussion: """
            `feedbell accounts remove` runs this command after a question, and reloads the running agent. Removes the \
            account's file in accounts.d, the secret that `accounts add` stored, and cached pictures. It does not \
            change config.toml: of an account there, it says which lines to delete.

            Example:
              $ feedbell-agent remove-account work

            Exit codes: 0 removed, 64 no such account or it is in a file that programs do not change, 69 there is no \
            Secret Service, 73 cannot change a file, 77 the keyring stayed locked or failed, 78 invalid configuration.
            """
    )

    @Argument(help: "The account's name.") var name: String
    @Flag(help: "Only check that the account can be removed.") var dryRun = false
    @Flag(help: "Leave the secret where it is.") var keepSecret = false
    @OptionGroup var file: ConfigurationOption

    func run() async throws {
        Language.useEnvironment()
        do throws(AccountChangeFailure) {
            let removal = try AccountRemoval(try await ConfiguredAccount(name, in: file.file))
            if dryRun { return }
            let sentences = try await removal.run(service: await .session(), keepsSecret: keepSecret) {
                await RunningAgent.endSignIn(to: name)
            }
            StandardStream.output.write(sentences: sentences)
        } catch {
            throw problem("\(error)", code: error.exitCode)
        }
        PictureCache.defaultDirectory(environment: ProcessInfo.processInfo.environment)
            .map { PictureCache(directory: $0) }?.removeAll()
    }
}

/// `feedbell-agent sign-out`, which `feedbell accounts sign-out` runs.
struct SignOutCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign-out",
        abstract: "Remove an account's secret and keep its configuration",
        discussion: """
            `feedbell accounts sign-out` runs this command after a question, and reconnects the account. Removes the \
            secret that `accounts add` stored; `feedbell accounts token` stores a new one.

            Example:
              $ feedbell-agent sign-out work

            Exit codes: 0 removed, 64 no such account or its secret is stored elsewhere, 69 there is no Secret \
            Service, 73 cannot remove the file, 77 the keyring stayed locked or failed, 78 invalid configuration.
            """
    )

    @Argument(help: "The account's name.") var name: String
    @Flag(help: "Only check that the secret can be removed.") var dryRun = false
    @OptionGroup var file: ConfigurationOption

    func run() async throws {
        Language.useEnvironment()
        do throws(AccountChangeFailure) {
            let signOut = try AccountSignOut(try await ConfiguredAccount(name, in: file.file))
            if dryRun { return }
            StandardStream.output.write(sentences: try await signOut.run(service: await .session()))
        } catch {
            throw problem("\(error)", code: error.exitCode)
        }
    }
}
