import AgentInterface
import ArgumentParser
import VisibleText

/// Prompts for the missing values of a new account. Each answer is checked at once by the agent's program, and asked
/// for again if the service then rejects it.
struct AccountQuestions {
    let dialogue = Dialogue()
    /// Whether the service is asked before the account is added.
    var isVerified: Bool
    /// Whether an account is changed, which keeps its token if there is no other.
    let isChange: Bool
    /// The path of the configuration; nil: the default one.
    let config: String?
    var account: NewAccount

    init(account: NewAccount, config: String?, isVerified: Bool, isChange: Bool = false) {
        self.account = account
        self.config = config
        self.isVerified = isVerified
        self.isChange = isChange
    }

    /// Checks the given options before the first prompt.
    func checkOptions() async throws {
        if let problem = try await problem(with: account, isComplete: false) { throw problem }
    }

    // MARK: Questions

    /// Asks which service it is, if several are possible. Without a terminal it is the first one.
    mutating func askService(_ candidates: [ServiceDescription]) throws {
        account.service = candidates.first
        guard candidates.count > 1, dialogue.isPossible else { return }
        let list = candidates.enumerated().map { "\($0.offset + 1) \($0.element.title)" }.joined(separator: ", ")
        let question = translated("Which service? {services}", ["services": list])
        while true {
            let answer = try dialogue.ask(question, for: "--provider").lowercased()
            let matching = candidates.enumerated().filter { number, service in
                answer == "\(number + 1)" || service.name.hasPrefix(answer) || service.title.lowercased() == answer
            }
            if matching.count == 1 {
                account.service = matching[0].element
                return
            }
            dialogue.say(
                translated(
                    "Answer with a number from 1 to {count}, or with a name.",
                    ["count": "\(candidates.count)"]
                )
            )
        }
    }

    /// Shows the values that a link proposes, and asks on a terminal whether to go on.
    func askAboutProposal() throws {
        guard dialogue.isPossible, let service = account.service else { return }
        dialogue.say(translated("A link proposes an account at {service}:", ["service": service.title]))
        for option in account.options {
            guard let value = account.values[option.name] else { continue }
            dialogue.say("  \(option.label ?? option.name): \(value)")
        }
        if let hosts = account.signInHosts { dialogue.say(hosts.sentence) }
        guard try dialogue.confirm(translated("Go on?")) else { throw Failure(nothingHappened, .usage) }
    }

    mutating func askName() async throws {
        let question = translated("A name for this account")
        try await ask(question, for: "NAME", default: account.name ?? "work") { $0.name = $1 }
    }

    /// Asks on a terminal whether the account has a token alone, unless the options tell.
    mutating func askTokenAlone() throws {
        guard !account.hasTokenAlone, dialogue.isPossible, let login = account.service?.tokenLogin,
            login.replaced.allSatisfy({ account.values[$0] == nil })
        else { return }
        account.hasTokenAlone = try dialogue.confirm(login.question)
    }

    /// Asks for the missing values, if a required one is missing.
    mutating func askMissing() async throws {
        let given = account.values
        let isMissing = account.options.contains { $0.isNeeded(beside: given) && given[$0.name] == nil }
        try await ask(isMissing ? askedOptions.filter { given[$0.name] == nil } : [])
    }

    /// Asks for all values, with the present ones as answers.
    mutating func askAll() async throws { try await ask(askedOptions) }

    /// The options that have a question beside the given ones.
    var askedOptions: [ServiceDescription.Option] {
        let given = account.values
        return account.options.filter { $0.question != nil && !$0.isReplaced(by: given) }
    }

    /// Asks for the values of options. If another account has the same inbox then, asks for all values once more.
    mutating func ask(_ options: [ServiceDescription.Option]) async throws {
        var options = options
        while true {
            for option in options { try await ask(option) }
            guard let problem = try await problem(with: account) else { return }
            guard dialogue.isPossible, !options.isEmpty else { throw problem }
            dialogue.say(problem.sentence)
            options = askedOptions
        }
    }

    private mutating func ask(_ option: ServiceDescription.Option) async throws {
        guard let question = option.question else { return }
        let isReplaceable = account.service?.tokenLogin?.replaced.first == option.name
        let argument = "--\(option.name)" + (isReplaceable ? " or --token-alone" : "")
        let defaultValue = account.values[option.name] ?? option.defaultValue
        try await ask(question, for: argument, default: defaultValue) { $0.values[option.name] = $1 }
    }

    /// Prompts until there is a valid answer.
    ///
    /// - Parameters:
    ///   - argument: The argument for the value, to use without a terminal.
    ///   - defaultValue: The value of an empty answer.
    ///   - set: Sets the value.
    private mutating func ask(
        _ question: String,
        for argument: String,
        default defaultValue: String?,
        _ set: (inout NewAccount, String) -> Void
    ) async throws {
        while true {
            var answered = account
            set(&answered, try dialogue.ask(question, for: argument, default: defaultValue))
            guard let problem = try await problem(with: answered, isComplete: false) else {
                account = answered
                return
            }
            dialogue.say(problem.sentence)
        }
    }

    /// Prompts until there is a valid token. An empty answer keeps the present one, which may be none.
    ///
    /// - Parameter isNeeded: Whether there must be one.
    mutating func askToken(isNeeded: Bool) async throws {
        let name = ["token": account.tokenName]
        var question =
            if account.token != nil || isChange {
                translated("Your {token} (not shown; empty to keep it)", name)
            } else if isNeeded {
                translated("Your {token} (not shown)", name)
            } else {
                translated("Your {token} (not shown; empty for none)", name)
            }
        while true {
            guard let token = try dialogue.askSecret(question) else {
                if account.token != nil || !isNeeded { return }
                dialogue.say(translated("A value is required."))
                continue
            }
            var answered = account
            answered.token = token
            guard let problem = try await problem(with: answered) else {
                account = answered
                return
            }
            if isVerified {
                dialogue.say(problem.sentence)
                question = translated("Paste it again (not shown)")
            } else {
                dialogue.say(translated("This {token} is invalid. It is one line without spaces.", name))
            }
        }
    }

    /// Sets the token without a prompt. It is checked when the account is added.
    mutating func setToken(_ token: String) { account.token = token }

    /// The problem of the account so far; nil: none. Throws errors that do not depend on an answer.
    ///
    /// - Parameter isComplete: Whether no further values are asked for. Only then its inbox is compared with others.
    private func problem(with account: NewAccount, isComplete: Bool = true) async throws -> Failure? {
        let check = AgentRequest.checkAccount(
            account.details,
            account.newToken,
            isChange: isChange,
            isVerified: isVerified,
            isComplete: isComplete
        )
        let result: Result<[String], _> = try await AgentProgram.attempt(check, config: config)
        guard case .failure(let failure) = result else { return nil }
        if [.invalidValue, .invalidInput].contains(failure.kind) { return Failure(failure, failure.reason) }
        throw Failure(failure)
    }
}
