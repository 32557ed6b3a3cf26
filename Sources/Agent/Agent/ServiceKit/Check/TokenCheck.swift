package import AgentInterface
import Inbox
import VisibleText

/// The account's token as the agent gets it from its source.
package struct TokenCheck<Token: Equatable & Sendable>: Sendable, Equatable {
    package enum Outcome: Sendable, Equatable {
        /// No source is configured.
        case none
        /// The token's source failed, for this reason; `remedy`: what to do, if the reason is known.
        case unavailable(String, remedy: String? = nil)
        /// This command gives one as a child of this process, but not in a unit, where the agent runs it.
        case onlyHere(String)
        /// The source returned something else.
        case malformed
        /// The user has removed it.
        case signedOut
        case read(Token)
        /// Only the agent gets it, from a backend.
        case signIn(SignInCheck)
    }

    package var outcome: Outcome
    /// Where the command was run; nil for other sources.
    package var place: CommandLocation?

    package init(_ outcome: Outcome = .none, place: CommandLocation? = nil) {
        self.outcome = outcome
        self.place = place
    }

    /// Gets the token in the place where the agent gets it, and if that fails, here.
    ///
    /// - Parameters:
    ///   - name: The beginning of the source's key.
    ///   - environment: Of the service.
    ///   - caFile: A PEM file of additional trusted certificate authorities.
    ///   - parse: The token that the service knows by this text; nil: none.
    @concurrent  // returns to the caller's executor: CallerExecutorTests
    package init(
        _ source: TokenSource?,
        named name: String = "token",
        _ environment: ServiceEnvironment,
        caFile: String? = nil,
        parse: @Sendable (String) -> Token?
    ) async {
        guard let source else {
            self.init()
            return
        }
        let keyring = environment.keyring
        if case .backend(let backend) = source {
            self.init(.signIn(await SignInCheck(backend, environment, caFile: caFile)))
            return
        }
        guard case .command(let words) = source else {
            self.init(await Self.read(source, name, keyring, .here, parse))
            return
        }
        let place = await CommandLocation.ofTheAgent()
        self.init(await Self.read(source, name, keyring, place, parse), place: place)
        guard place == .unit, case .unavailable = outcome else { return }
        if case .read = await Self.read(source, name, keyring, .here, parse) { outcome = .onlyHere(words[0]) }
    }

    private static func read(
        _ source: TokenSource,
        _ name: String,
        _ keyring: Keyring,
        _ place: CommandLocation,
        _ parse: @Sendable (String) -> Token?
    ) async -> Outcome {
        let reader = TokenReader(
            source: source,
            named: name,
            clock: ContinuousClock(),
            keyring: keyring,
            place: place,
            deadline: TokenReader.checkTimeout
        )
        do { return parse(try await reader.read()).map(Outcome.read) ?? .malformed } catch {
            if error.missing == .signedOut { return .signedOut }
            return .unavailable(error.sentence, remedy: error.remedy)
        }
    }
}

extension TokenCheck {
    /// The findings about the token and its source. Empty if there is no source.
    ///
    /// - Parameters:
    ///   - name: The beginning of the source's key.
    ///   - malformed: The sentence about a source that returned something else.
    ///   - read: The finding about the token.
    package func findings(
        of source: TokenSource,
        named name: String = "token",
        account: String,
        malformed: String,
        _ read: (Token) -> Finding
    ) -> [Finding] {
        switch outcome {
        case .none: []
        case .unavailable(let reason, let remedy):
            [source.failure(reason, named: name, remedy: remedy, account: account)]
        case .signedOut: [TokenSource.signedOut(account: account)]
        case .signIn(let check): check.findings(account: account)
        case .onlyHere(let command): [TokenSource.failureInUnit(of: command, named: name, account: account)]
        case .malformed:
            [
                Finding(
                    .token,
                    .problem,
                    account: account,
                    malformed,
                    remedy: source.trial(account: account),
                    options: ["token"]
                )
            ]
        case .read(let token):
            [read(token)] + [source.successInUnit(place, named: name, account: account)].compactMap(\.self)
        }
    }
}

extension TokenReader {
    /// A command's timeout in a check: its user is waiting.
    package static let checkTimeout = Duration.seconds(10)
}

extension TokenSource {
    /// The finding about a source that returned no token.
    ///
    /// - Parameter name: The beginning of the source's key.
    package func failure(_ reason: String, named name: String = "token", remedy: String?, account: String) -> Finding {
        let sentence = translated(
            "Cannot get the {token}: {reason}",
            ["token": name.replacing("_", with: " "), "reason": reason]
        )
        return Finding(.token, .problem, account: account, sentence, remedy: remedy ?? trial(account: account))
    }

    /// The finding about an account whose user has removed its token.
    package static func signedOut(account: String) -> Finding {
        let remedy = translated("Sign in: {command}", ["command": command(account: account)])
        return Finding(.token, .problem, account: account, translated("Signed out."), remedy: remedy)
    }

    /// The finding about a command that gives its token only outside of the agent's unit.
    package static func failureInUnit(of command: String, named name: String = "token", account: String) -> Finding {
        let sentence = translated(
            "\"{command}\" ({key}) prints a token in this terminal, but not in the agent's environment: "
                + "a unit of its own, with the environment of the service manager.",
            ["command": command, "key": "\(name)_command"]
        )
        let remedy = translated(
            "Compare the terminal's environment with: systemctl --user show-environment. "
                + "Add what is missing: systemctl --user import-environment NAME, "
                + "or permanently in ~/.config/environment.d"
        )
        return Finding(.token, .problem, account: account, sentence, remedy: remedy)
    }

    /// The finding about a command that gave its token in the agent's unit; nil for other sources and places.
    package func successInUnit(_ place: CommandLocation?, named name: String = "token", account: String) -> Finding? {
        guard place == .unit, case .command(let words) = self else { return nil }
        let sentence = translated(
            "\"{command}\" ({key}) was run like the agent runs it: by systemd, in a unit of its own.",
            ["command": words[0], "key": "\(name)_command"]
        )
        return Finding(.token, .ok, account: account, sentence)
    }

    /// Advice for a source that gives no token.
    package func trial(account: String) -> String {
        switch self {
        case .command(let words):
            translated(
                "Run \"{command}\" with its arguments in a terminal: it must exit with 0 and print the token on the "
                    + "first line.",
                ["command": words[0]]
            )
        case .secret where isReplaceable(of: account):
            translated(
                "Unlock the keyring and check that it has the token. Store a new one with: {command}",
                ["command": Self.command(account: account)]
            )
        case .secret:
            translated("Unlock the keyring and check that it has the token.")
        case .backend:
            translated("Sign in: {command}", ["command": TokenBackend.command(account: account)])
        case .credential(let name):
            translated(
                "Put the token on the first line of the credential \"{name}\", then run: "
                    + "systemctl --user restart feedbell",
                ["name": name]
            )
        case .file:
            translated("Put the token on the first line of that file, and allow only yourself to read it.")
        }
    }

    /// Advice for a token that expires.
    ///
    /// - Parameter name: The beginning of the source's key.
    package func renewal(named name: String = "token", account: String) -> String {
        switch self {
        case .command(let words):
            translated(
                "\"{command}\" ({key}) must print a new token each time it is run.",
                ["command": words[0], "key": "\(name)_command"]
            )
        case .credential(let credential):
            translated(
                "Replace the source of the credential \"{name}\", then run: systemctl --user restart feedbell",
                ["name": credential]
            )
        case .secret where !isReplaceable(of: account):
            translated("Store a new one in the keyring, then run: feedbell reconnect")
        case .secret, .file:
            translated("Store a new one with: {command}", ["command": Self.command(account: account)])
        case .backend(let backend):
            translated("{backend} gave it: ask your administrator.", ["backend": backend.host])
        }
    }
}
