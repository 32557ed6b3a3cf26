package import AgentInterface
import Basics
import ClientKit
import VisibleText

/// What can be seen of a sign-in from outside of the agent, which alone may use it: a second program would end it.
package struct SignInCheck: Equatable, Sendable {
    /// How the backend answers a request without a sign-in.
    enum Answer: Equatable, Sendable {
        case asksForSignIn
        case letsAnybodyIn
        case unusable(String, mayPass: Bool)
    }

    /// What the keyring says about the sign-in.
    enum KeyringEntry: Equatable, Sendable {
        case kept, nothing, unknown(String)
        case noKeyring
    }

    let backend: TokenBackend
    /// Why the server cannot be used; nil: it can.
    var serverProblem: OAuthError?
    /// Why the answer of the browser cannot arrive; nil: it can.
    var portProblem: OAuthError?
    var answer: Answer
    var kept: KeyringEntry
    /// How long ago it was refreshed, in seconds; nil: the keyring does not say.
    var age: Double?
    var isSignedOut: Bool
    /// Whether the running agent has a sign-in that the keyring does not have.
    var isInMemory: Bool

    init(
        backend: TokenBackend,
        serverProblem: OAuthError? = nil,
        portProblem: OAuthError? = nil,
        answer: Answer,
        kept: KeyringEntry,
        age: Double? = nil,
        isSignedOut: Bool = false,
        isInMemory: Bool = false
    ) {
        self.backend = backend
        self.serverProblem = serverProblem
        self.portProblem = portProblem
        self.answer = answer
        self.kept = kept
        self.age = age
        self.isSignedOut = isSignedOut
        self.isInMemory = isInMemory
    }

    /// - Parameter caFile: A PEM file of additional trusted certificate authorities.
    package init(_ backend: TokenBackend, _ environment: ServiceEnvironment, caFile: String?) async {
        let transport = environment.transport.trusting(caFile)
        self.init(
            backend: backend,
            answer: await Self.answer(of: backend, transport),
            kept: await Self.kept(backend, environment.keyring),
            age: await environment.keyring.modified(SignInItem(account: backend.account).attributes)
                .map { Double(environment.now().milliseconds - $0.milliseconds) / 1_000 },
            isSignedOut: SignOutMark(.backend(backend))?.exists ?? false
        )
        if kept == .nothing { isInMemory = await environment.isSignedIn(backend.account) }
        do throws(OAuthError) {
            _ = try await AuthorizationServer(backend.signIn.client, transport).metadata()
        } catch { serverProblem = error }
        do throws(OAuthError) {
            let port = backend.signIn.redirectPort
            try await RedirectListeners(on: transport.eventLoop).open(port: port).close()
        } catch { portProblem = error }
    }

    private static func answer(of backend: TokenBackend, _ transport: NIOTransport) async -> Answer {
        let request = HTTPRequest(url: backend.url, headers: [HTTPField("Accept", "application/json")])
        do throws(TransportError) {
            let response = try await transport.send(request)
            do throws(BackendToken.Failure) {
                _ = try BackendToken(response, of: backend.kind, from: backend.host)
                return .letsAnybodyIn
            } catch {
                guard case .other(let error) = error else { return .asksForSignIn }
                return .unusable(error.withAdvice.message, mayPass: error.kind == .transient)
            }
        } catch { return .unusable(error.detail, mayPass: true) }
    }

    private static func kept(_ backend: TokenBackend, _ keyring: Keyring) async -> KeyringEntry {
        do throws(SecretServiceError) {
            _ = try await keyring.secret(SignInItem(account: backend.account).attributes)
            return .kept
        } catch {
            switch error {
            case .noItem: return .nothing
            case .noService, .noEncryption: return .noKeyring
            default: return .unknown("\(error)")
            }
        }
    }
}

extension SignInCheck {
    /// The sentences about it.
    func findings(account: String) -> [Finding] {
        configurationFindings(account: account) + [keptFinding(account: account)]
    }

    /// The sentences about what the configuration names: servers and the port.
    package func configurationFindings(account: String) -> [Finding] {
        func finding(
            _ level: Finding.Level,
            _ sentence: String,
            _ remedy: String? = nil,
            options: [String] = []
        ) -> Finding {
            // A problem without a remedy is temporary. Findings about the network do not refuse an account.
            let topic: Finding.Topic = level == .problem && remedy == nil ? .network : .token
            return Finding(topic, level, account: account, sentence, remedy: remedy, options: options)
        }
        let hosts = ["server": backend.serverHost, "backend": backend.host]
        let table = ["table": "[\(account.accountTable)]"]
        let correct = translated("Correct {table}.", table)
        var findings: [Finding] = []
        switch serverProblem {
        case nil: findings.append(finding(.ok, translated("{server} lets users sign in.", hosts)))
        case let error?:
            let remedy = error.kind == .transient ? nil : correct
            findings.append(finding(.problem, error.message, remedy, options: ["issuer"]))
        }
        if let portProblem { findings.append(finding(.problem, portProblem.message)) }
        switch answer {
        case .asksForSignIn:
            findings.append(finding(.ok, translated("{backend} gives tokens to users who are signed in.", hosts)))
        case .letsAnybodyIn:
            let sentence = translated("{backend} gives tokens to everybody, also without a sign-in.", hosts)
            findings.append(finding(.warning, sentence, translated("Tell your administrator.")))
        case .unusable(let reason, let mayPass):
            findings.append(finding(.problem, reason, mayPass ? nil : correct, options: ["token-url"]))
        }
        return findings
    }

    /// The sentence about whether somebody is signed in.
    private func keptFinding(account: String) -> Finding {
        func finding(_ level: Finding.Level, _ sentence: String, _ remedy: String? = nil) -> Finding {
            Finding(.token, level, account: account, sentence, remedy: remedy)
        }
        let command = ["command": TokenBackend.command(account: account)]
        if isSignedOut {
            return finding(.problem, translated("Signed out."), translated("Sign in: {command}", command))
        }
        switch kept {
        case .kept:
            let kept = translated("The keyring keeps the sign-in, which only the agent uses.")
            let refreshed = age.map { age in
                translated("It was last refreshed {span} ago.", ["span": ApproximateDuration(seconds: age).text])
            }
            return finding(.ok, translatedParagraph([kept, refreshed]))
        case .nothing where isInMemory:
            let sentence = translated("The keyring has not stored the sign-in: it lasts until the agent ends.")
            return finding(.warning, sentence, translated("Unlock the keyring. The agent retries within an hour."))
        case .nothing:
            let sentence = translated("Nobody has signed in yet.")
            return finding(.problem, sentence, translated("Sign in: {command}", command))
        case .unknown(let reason):
            let sentence = translated("Whether the keyring keeps a sign-in is unknown: {reason}", ["reason": reason])
            return finding(.warning, sentence)
        case .noKeyring:
            return finding(.warning, translated("There is no keyring: a sign-in lasts until the agent ends."))
        }
    }
}
