package import AgentInterface
import FoundationEssentials
import VisibleText

/// The form of a new account, of changes of one, or of its new token: what the user types and what the agent's program
/// answers in, requests to it out. What it shows is in `AccountForm+Shown.swift`.
package struct AccountForm: Equatable, Sendable {
    package enum Purpose: Equatable, Sendable {
        case add
        case change(account: String)
        /// Store a new token.
        case signIn(account: String)
    }

    package enum Field: Hashable, Sendable {
        case service
        case name
        /// Whether the token alone names project and user.
        case tokenAlone
        /// Whether the token comes from a sign-in with the browser.
        case browser
        case option(String)
        case token
        /// The rows of what few need.
        case more
        /// Whether the token is stored in a file instead of the keyring.
        case tokenInFile
        /// Whether the service is asked before the account is saved.
        case verification
    }

    package enum Event: Equatable, Sendable {
        case services([ServiceDescription])
        /// The program cannot be used, or the account cannot be changed, in lines.
        case unusable(String)
        case details(AccountDetails)
        /// The values of a link.
        case proposed(AccountDetails)
        /// Nothing else has to be known.
        case loaded
        case set(Field, FormValue)
        /// The names that other accounts have.
        case names([String])
        /// The time of ``Effect/waitForPause(_:)`` has passed.
        case paused(Int)
        /// The program has checked the value that the field had with this number; nil: it found nothing wrong.
        case checked(Field, Int, AgentRequest.Failure?)
        case submit
        /// The account was saved, or why it was not.
        case ended(AgentRequest.Failure?)
    }

    package enum Effect: Equatable, Sendable {
        /// Request the services and what is known of the account, or what a link proposes.
        case load(Purpose, link: String? = nil)
        /// Receive ``Event/paused(_:)`` when the user has stopped typing.
        case waitForPause(Int)
        case check(Field, Int, AgentRequest)
        case submit(AgentRequest)
        /// The account was saved; `mustSignIn`: the user has to sign in with the browser now.
        case saved(account: String, mustSignIn: Bool)
        /// Give the focus to a field; nil: to the line above the form.
        case focus(Field?)
    }

    package let purpose: Purpose
    /// A link or a file with values for a new account; nil: there is none.
    private let link: String?
    private(set) var services: [ServiceDescription] = []
    private(set) var account = NewAccount()
    /// Whether everything is known that the form needs.
    private(set) var isLoaded = false
    /// Why the form is of no use, in lines.
    package private(set) var refusal: String?
    /// Why nothing was saved, in lines, if that is not about one field.
    package private(set) var failure: String?
    package private(set) var isSubmitting = false
    private(set) var problems: [Field: String] = [:]
    /// The fields of which the service finds one wrong. It does not say which.
    private(set) var doubtful: Set<Field> = []
    private var names: [String]
    /// The values before the user has typed.
    private var present: [Field: String] = [:]
    /// The texts as the user has typed them, for what is shown.
    private(set) var typed: [Field: String] = [:]
    private(set) var isVerified = true
    /// Whether the account that is changed had no other token.
    private var signedInWithBrowser = false

    /// The changed fields that were not checked, with the number of the change.
    private var unchecked: [Field: Int] = [:]
    private var changes = 0

    /// - Parameter names: The names that other accounts have.
    package init(_ purpose: Purpose, names: [String] = [], link: String? = nil) {
        (self.purpose, self.names, self.link) = (purpose, names, link)
        switch purpose {
        case .add:
            account.name = Self.freeName(names)
            present[.name] = account.name
        case .change(let name), .signIn(let name): account.name = name
        }
    }

    /// The effects with which the form begins.
    package var beginning: [Effect] { [.load(purpose, link: link)] }

    /// Whether the values are those of a link.
    var isProposed: Bool { link != nil }

    private static func freeName(_ names: [String]) -> String {
        let first = "work"
        if !names.contains(first) { return first }
        return (2...).lazy.map { "\(first)-\($0)" }.first { !names.contains($0) } ?? first
    }

    package mutating func receive(_ event: Event) -> [Effect] {
        switch event {
        case .services(let services):
            self.services = services
            if case .add = purpose {
                account.service = services.first
                return isProposed ? [] : loaded()
            }
        case .unusable(let sentence):
            refusal = sentence
            return [.focus(nil)]
        case .details(let details):
            account.service = services.first { $0.name == details.provider }
            account.values = details.values
            for (name, value) in details.values { present[.option(name)] = value }
            account.hasTokenAlone = details.hasTokenAlone
            account.signsInWithBrowser = account.service?.hasSignIn(details.values) ?? false
            signedInWithBrowser = account.signsInWithBrowser
            return loaded()
        case .proposed(let details):
            propose(details)
            return loaded()
        case .loaded: return loaded()
        case .names(let names):
            self.names = names
            checkName()
        case .set(let field, let value): return set(field, value)
        case .paused(let number): return number == changes ? check() : []
        case .checked(let field, let number, let failure):
            // Later changes are checked, too.
            guard unchecked[field] == number else { return [] }
            unchecked[field] = nil
            if let failure, [.invalidValue, .invalidInput].contains(failure.kind) {
                problems[field] = text(of: failure, about: field)
            }
        case .submit: return submit()
        case .ended(let failure): return ended(failure)
        }
        return []
    }

    /// Fills the form with the values of a link, and nothing else: the user saves them.
    private mutating func propose(_ details: AccountDetails) {
        account.service = services.first { $0.name == details.provider }
        account.values = details.values
        account.hasTokenAlone = details.hasTokenAlone
        account.signsInWithBrowser = account.service?.hasSignIn(details.values) ?? false
        if let name = details.name, !names.contains(name) { account.name = name }
    }

    private mutating func loaded() -> [Effect] {
        isLoaded = true
        return groups.first?.rows.first.map { [.focus($0.id)] } ?? []
    }

    // MARK: Values

    private mutating func set(_ field: Field, _ value: FormValue) -> [Effect] {
        (failure, doubtful) = (nil, [])
        problems[field] = nil
        switch (field, value) {
        case (.service, .choice(let index?)) where services.indices.contains(index):
            guard services[index] != account.service else { return [] }
            account.service = services[index]
            (account.hasTokenAlone, account.signsInWithBrowser) = (false, false)
            (account.values, problems, unchecked) = ([:], [:], [:])
            typed = typed.filter { $0.key == .name || $0.key == .token }
            checkName()
            return []
        case (.tokenAlone, .toggle(let isOn)):
            account.hasTokenAlone = isOn
            for name in account.service?.tokenLogin?.replaced ?? [] where isOn { account.values[name] = nil }
            problems = [:]
            checkName()
            return []
        case (.browser, .toggle(let isOn)):
            account.signsInWithBrowser = isOn
            let unused = isOn ? [] : account.service?.signInOptions ?? []
            for option in unused { (account.values[option.name], typed[.option(option.name)]) = (nil, nil) }
            if isOn { (account.token, typed[.token]) = (nil, nil) }
            problems = [:]
            checkName()
            return []
        case (.tokenInFile, .toggle(let isOn)):
            account.isTokenInFile = isOn
            return []
        case (.verification, .toggle(let isOn)):
            isVerified = isOn
            return []
        case (.name, .typed(let text)):
            account.name = text.trimmed
            checkName()
        case (.option(let name), .typed(let text)):
            account.values[name] = text.trimmed.isEmpty ? nil : text.trimmed
        case (.option(let name), .choice(let index?)):
            let choices = account.options.first { $0.name == name }?.choices ?? []
            account.values[name] = choices.indices.contains(index - 1) ? choices[index - 1] : nil
        case (.token, .secret(let text)): account.token = text.trimmed.isEmpty ? nil : text.trimmed
        default: return []
        }
        if case .typed(let text) = value { typed[field] = text }
        if case .secret(let text) = value { typed[field] = text }
        changes += 1
        unchecked[field] = changes
        return [.waitForPause(changes)]
    }

    private mutating func checkName() {
        guard case .add = purpose else { return }
        let isInUse = names.contains(account.name ?? "")
        if isInUse {
            problems[.name] = Self.nameInUse
        } else if problems[.name] == Self.nameInUse {
            problems[.name] = nil
        }
    }

    private static var nameInUse: String { translated("Another account has this name.") }

    private func mustBeGiven(_ option: ServiceDescription.Option) -> Bool {
        option.isNeeded(beside: account.values) && account.values[option.name] == nil
    }

    /// Whether there must be a token.
    var needsToken: Bool {
        switch purpose {
        case .add: account.hasTokenAlone && !account.signsInWithBrowser
        case .change: signedInWithBrowser && !account.signsInWithBrowser
        case .signIn: true
        }
    }

    package var canSubmit: Bool { isUsable && problems.isEmpty && missing.isEmpty }

    /// Whether the form has something typed that is not saved.
    package var isChanged: Bool { typed.contains { $0.value != present[$0.key] ?? "" } && !isSubmitting }

    private var isUsable: Bool { isLoaded && refusal == nil && !isSubmitting }

    /// The fields that must be given and are empty.
    private var missing: [Field] {
        var missing: [Field] = account.name?.isEmpty == false ? [] : [.name]
        missing += account.options.filter(mustBeGiven).map { .option($0.name) }
        if needsToken, account.token == nil { missing.append(.token) }
        return missing
    }

    /// Says at each field what is missing.
    ///
    /// - Returns: The effect that leads to the first field with a problem.
    private mutating func requestMissing() -> [Effect] {
        for field in missing where problems[field] == nil { problems[field] = translated("This is needed.") }
        let fields = groups.flatMap(\.rows).flatMap { [$0] + $0.rows }.map(\.id)
        return fields.first { problems[$0] != nil }.map { [.focus($0)] } ?? []
    }

    // MARK: Checks

    private func check() -> [Effect] {
        unchecked.compactMap { field, number in
            request(checking: field).map { Effect.check(field, number, $0) }
        }
    }

    /// The check of one value alone, so that what is wrong is wrong with it.
    private func request(checking field: Field) -> AgentRequest? {
        var checked = NewAccount(service: account.service, hasTokenAlone: account.hasTokenAlone)
        checked.signsInWithBrowser = account.signsInWithBrowser
        switch purpose {
        case .add: break
        case .change: checked.name = account.name
        case .signIn: return nil
        }
        switch field {
        case .name: checked.name = account.name
        case .option(let name):
            guard let value = account.values[name] else { return nil }
            checked.values = [name: value]
        case .token:
            guard let token = account.token else { return nil }
            checked.token = token
        default: return nil
        }
        return .checkAccount(
            checked.details,
            checked.newToken,
            isChange: isChange,
            isVerified: true,
            isComplete: true
        )
    }

    private var isChange: Bool { if case .change = purpose { true } else { false } }

    // MARK: Saving

    private mutating func submit() -> [Effect] {
        guard isUsable else { return [] }
        guard canSubmit else { return requestMissing() }
        (isSubmitting, failure, doubtful) = (true, nil, [])
        if case .signIn(let name) = purpose {
            return [.submit(.storeToken(account.token ?? "", account: name, isVerified: isVerified))]
        }
        return [
            .submit(
                .addAccount(account.details, account.newToken, isChange: isChange, isVerified: isVerified)
            )
        ]
    }

    private mutating func ended(_ reason: AgentRequest.Failure?) -> [Effect] {
        isSubmitting = false
        guard let reason else {
            return [.saved(account: account.name ?? "", mustSignIn: account.signsInWithBrowser && !signedInWithBrowser)]
        }
        let named = reason.options.map(Self.field).filter(isShown)
        var wrong = named.count == 1 ? named.first : nil
        if case .signIn = purpose, named.isEmpty, [.invalidInput, .refused].contains(reason.kind) { wrong = .token }
        let text = text(of: reason, about: wrong, named)
        if let wrong { problems[wrong] = text } else { failure = text }
        if wrong == nil { doubtful = Set(named) }
        return [.focus(wrong)]
    }

    private static func field(ofOption name: String) -> Field {
        switch name {
        case "name": .name
        case "token": .token
        case "no-secret-service": .tokenInFile
        default: .option(name)
        }
    }

    private func isShown(_ field: Field) -> Bool {
        if case .option(let name) = field { return account.options.contains { $0.name == name } }
        return true
    }
}
