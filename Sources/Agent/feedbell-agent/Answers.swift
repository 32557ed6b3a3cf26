import Agent
import AgentInterface
import FoundationEssentials
import ProgramKit

/// What this program answers to the requests of the command and the window.
struct Answers {
    let file: ConfigurationFile

    init(_ file: ConfigurationFile) { self.file = file }

    /// In JSON.
    func reply(to call: AgentCall) async -> [UInt8] {
        do throws(AgentRequest.Failure) {
            return Self.encoded(try await answer(to: call))
        } catch {
            return AgentReply<[String]>.failure(error).bytes
        }
    }

    private static func encoded(_ value: some Codable & Sendable) -> [UInt8] { AgentReply.value(value).bytes }

    private func answer(to call: AgentCall) async throws(AgentRequest.Failure) -> any Codable & Sendable {
        switch call.request {
        case .services: return Services.all.map { $0.description }
        case .check(let account): return await findings(of: account, isTranslated: call.isTranslated)
        case .settings: return try await Settings(file).list()
        case .changeSettings(let changes): return try await [Settings(file).change(changes)].compactMap(\.self)
        case .autostart: return Self.sessions.isOn
        case .setAutostart(let isOn): return try await Self.startSessions(isOn)
        case .account(let name): return try await ConfiguredAccount(name, in: file).details
        case .link(let text): return try AccountLink.details(in: text)
        case .checkAccount(let details, let token, let isChange, let isVerified, let isComplete):
            let account = RequestedAccount(details, token, isChange: isChange, isVerified: isVerified, in: file)
            try await account.check(isComplete: isComplete)
            return [String]()
        case .addAccount(let details, let token, let isChange, let isVerified):
            return try await RequestedAccount(details, token, isChange: isChange, isVerified: isVerified, in: file)
                .add()
        case .storeToken(let token, let name, let isVerified):
            return try await storeToken(token, of: name, isVerified: isVerified)
        case .removeAccount(let name, let keepsSecret, let isDryRun):
            let removal = try AccountRemoval(try await ConfiguredAccount(name, in: file))
            return isDryRun ? [] : try await run(removal, of: name, keepsSecret: keepsSecret)
        case .signOut(let name, let isDryRun):
            let signOut = try AccountSignOut(try await ConfiguredAccount(name, in: file))
            return isDryRun ? [] : try await signOut.run(service: await .session())
        }
    }

    // MARK: Sessions

    private static var sessions: SessionStart { SessionStart(environment: ProcessInfo.processInfo.environment) }

    private static func startSessions(_ isOn: Bool) async throws(AgentRequest.Failure) -> [String] {
        do throws(SessionStart.Failure) { try sessions.set(isOn) } catch {
            throw AgentRequest.Failure(.unwritable, "\(error)")
        }
        // A service manager that outlives the session has read the links. Where there is none, nothing has to be done.
        _ = try? await ChildProgram(["systemctl", "--user", "--quiet", "daemon-reload"]).run()
        return []
    }

    // MARK: Accounts

    private func storeToken(_ text: String?, of name: String, isVerified: Bool) async throws(AgentRequest.Failure)
        -> [String]
    {
        let replacement = try await TokenReplacement(account: name, in: file)
        guard let text else { return [] }
        let token = try TokenText.required(text)
        let service = await SecretService.session()
        if !isVerified { return try await replacement.run(token, service: service, verifyingIn: nil) }
        return try await ServiceEnvironment.withEnvironment(keyring: Keyring(service, mayPrompt: false)) {
            (environment) async throws(AgentRequest.Failure) in
            try await replacement.run(token, service: service, verifyingIn: environment)
        }
    }

    private func run(_ removal: AccountRemoval, of name: String, keepsSecret: Bool) async throws(AgentRequest.Failure)
        -> [String]
    {
        let sentences = try await removal.run(service: await .session(), keepsSecret: keepsSecret) {
            await RunningAgent.endSignIn(to: name)
        }
        PictureCache.defaultDirectory(environment: ProcessInfo.processInfo.environment)
            .map { PictureCache(directory: $0) }?.removeAll()
        return sentences
    }
}

extension ConfiguredAccount {
    /// The account's values, without secrets.
    fileprivate var details: AccountDetails {
        get throws(AgentRequest.Failure) {
            let entries = try changeableTable.entries ?? [:]
            let texts = entries.compactMapValues(\.text)
            let provider = texts["provider"] ?? ""
            let description = Services.all.named(provider)?.description
            var values: [String: String] = [:]
            for option in description?.options ?? [] { values[option.name] = texts[option.key] }
            let login = description?.tokenLogin.map { $0.key + "_" }
            let hasTokenAlone = login.map { login in entries.keys.contains { $0.hasPrefix(login) } } ?? false
            if let described = hasTokenAlone ? description?.withTokenAlone : description {
                values.merge(TokenBackend.values(named: described.tokenKey, in: entries)) { $1 }
            }
            return AccountDetails(name: name, provider: provider, values: values, hasTokenAlone: hasTokenAlone)
        }
    }
}
