package import AgentInterface
import VisibleText

/// The steps of a sign-in with the browser, which begins at once: events of the user and of the agent in, effects out.
package struct BrowserSignInPage: Equatable, Sendable {
    package enum Row: Hashable, Sendable {
        case copyLink
        case otherPerson
        case step(SignInRequest.Step)
    }

    /// How a sign-in has ended.
    package enum Outcome: Equatable, Sendable {
        case signedIn
        /// `isDenied`: another person may be let in.
        case failed(String, isDenied: Bool)
    }

    package enum Event: Equatable, Sendable {
        case accounts([AccountState])
        /// The user wants the browser to be opened again.
        case submit
        case press(Row)
        /// The sign-in with this number has ended.
        case ended(Int, Outcome)
        case closed
    }

    package enum Effect: Equatable, Sendable {
        /// Begin a sign-in with this number.
        case signIn(Int, SignInOptions)
        case cancel
        case copy(String)
        /// Let a screen reader say it.
        case announce(String)
        case focusMessage
        case close
        /// A short message, over another window.
        case show(String)
    }

    private struct Failure: Equatable {
        var text: String
        var isDenied: Bool
    }

    package let account: String
    private var server = ""
    private var backend = ""
    /// The number of the last sign-in; 0: the account is not known yet.
    private var number = 0
    /// Whether the last sign-in has not ended.
    package private(set) var isUnderWay = false
    /// Whether that one has opened the browser.
    private var hasOpened = false
    private var request: SignInRequest?
    private var isLinkWanted = false
    /// Why the last sign-in has failed.
    private var failure: Failure?

    package init(account: String) { self.account = account }

    package mutating func receive(_ event: Event) -> [Effect] {
        switch event {
        case .accounts(let accounts):
            guard let state = accounts.first(where: { $0.name == account }) else { return [.close] }
            (server, backend) = state.signInServers
            if number == 0 { return [.announce(instructions)] + start(SignInOptions()) }
            return isUnderWay ? follow(state.signInRequest) : []
        case .submit: return start(SignInOptions())
        case .press(.otherPerson): return start(SignInOptions(isOtherUser: true))
        case .press(.copyLink):
            if isUnderWay, let request, !request.url.isEmpty { return [.copy(request.url)] }
            isLinkWanted = true
            return isUnderWay ? [] : start(SignInOptions(opensBrowser: false))
        case .press(.step): return []
        case .ended(number, .signedIn):
            isUnderWay = false
            return [.close, .show(translated("Signed in to {account}.", ["account": account.nameLine]))]
        case .ended(number, .failed(let text, let isDenied)):
            (isUnderWay, isLinkWanted, request) = (false, false, nil)
            failure = Failure(text: text, isDenied: isDenied)
            return [.focusMessage]
        // An earlier one, which this page has replaced.
        case .ended: return []
        case .closed: return isUnderWay ? [.cancel] : []
        }
    }

    private mutating func start(_ options: SignInOptions) -> [Effect] {
        number += 1
        (isUnderWay, hasOpened, request, failure) = (true, options.opensBrowser, nil, nil)
        return [.signIn(number, options)]
    }

    private mutating func follow(_ new: SignInRequest?) -> [Effect] {
        guard let new, new != request else { return [] }
        var effects: [Effect] = []
        if new.step != request?.step, shownSteps.contains(new.step) { effects.append(.announce(title(of: new.step))) }
        request = new
        if isLinkWanted, !new.url.isEmpty {
            isLinkWanted = false
            effects.append(.copy(new.url))
        }
        return effects
    }
}

extension BrowserSignInPage {
    package typealias Group = FormGroup<Row>

    package var title: String { translated("Sign In to {account}", ["account": account.nameLine]) }

    /// The label of the button that opens the browser.
    package var submitLabel: String { translated("Open Browser Again") }

    /// The line above the rows: why the last sign-in has failed; nil: nothing.
    package var message: String? { failure?.text.sentenceLine }

    package var groups: [Group] {
        let link = FormRow(
            Row.copyLink,
            title: translated("Copy Link"),
            text: translated("For another browser on this computer."),
            value: .press
        )
        let other = FormRow(
            Row.otherPerson,
            title: translated("Sign In as Another Person"),
            text: translated("The browser asks who you are."),
            value: .press
        )
        let actions = failure?.isDenied == true ? [link, other] : [link]
        return [Group(text: instructions, rows: actions)] + (isUnderWay ? [Group(rows: steps)] : [])
    }

    private var instructions: String {
        translated("Sign in at {server} with your browser, then come back.", ["server": server.nameLine])
    }

    private var shownSteps: [SignInRequest.Step] { hasOpened ? [.browser, .waiting, .token] : [.waiting, .token] }

    private var steps: [FormRow<Row>] {
        let all = shownSteps
        let current = request.flatMap { all.firstIndex(of: $0.step) } ?? 0
        return all.enumerated().map { index, step in
            let mark: FormMark? = index < current ? .done : index == current ? .busy : nil
            return FormRow(.step(step), title: title(of: step), mark: mark)
        }
    }

    private func title(of step: SignInRequest.Step) -> String {
        switch step {
        case .browser: translated("Opening your browser")
        case .waiting, .device: translated("Waiting for you to sign in")
        case .token: translated("Asking {server}", ["server": backend.nameLine])
        }
    }
}
