/// An account that is being added or changed: the given options and the answers.
package struct NewAccount: Equatable, Sendable {
    package var name: String?
    /// nil: not known yet.
    package var service: ServiceDescription?
    /// The values by the name of their option.
    package var values: [String: String]
    /// Whether the token alone names project and user.
    package var hasTokenAlone: Bool
    /// Whether the token comes from a sign-in with the browser.
    package var signsInWithBrowser: Bool
    /// The token to store; nil: none.
    package var token: String?
    /// Whether the token is stored in a file instead of the Secret Service.
    package var isTokenInFile: Bool
    /// Where the token is already; nil: nowhere, or it is not known.
    package var tokenPlace: NewToken?
    /// Whether the options name the token's source, or say that there is none.
    package var hasTokenSource: Bool

    package init(
        name: String? = nil,
        service: ServiceDescription? = nil,
        values: [String: String] = [:],
        hasTokenAlone: Bool = false,
        signsInWithBrowser: Bool = false,
        token: String? = nil,
        isTokenInFile: Bool = false,
        tokenPlace: NewToken? = nil,
        hasTokenSource: Bool = false
    ) {
        (self.name, self.service, self.values, self.hasTokenAlone) = (name, service, values, hasTokenAlone)
        (self.signsInWithBrowser, self.token, self.isTokenInFile) = (signsInWithBrowser, token, isTokenInFile)
        (self.tokenPlace, self.hasTokenSource) = (tokenPlace, hasTokenSource)
    }

    /// The service's options that this account has.
    package var options: [ServiceDescription.Option] {
        (description?.options ?? []) + (signsInWithBrowser ? service?.signInOptions ?? [] : [])
    }

    /// The token's name in prompts.
    package var tokenName: String { description?.tokenName ?? "token" }

    private var description: ServiceDescription? { hasTokenAlone ? service?.withTokenAlone : service }

    /// The hosts of a sign-in with the browser; nil: there is none, or an address is not complete.
    package var signInHosts: SignInHosts? {
        func host(_ option: String) -> String? {
            let parts = values[option]?.split(separator: "/", omittingEmptySubsequences: false) ?? []
            return parts.count > 2 && !parts[2].isEmpty ? String(parts[2]) : nil
        }
        guard signsInWithBrowser, let server = host("issuer"), let backend = host("token-url") else { return nil }
        return SignInHosts(server: server, backend: backend)
    }

    // MARK: As it is requested

    package var details: AccountDetails {
        AccountDetails(name: name, provider: service?.name ?? "", values: values, hasTokenAlone: hasTokenAlone)
    }

    package var newToken: NewToken? { token.map { .stored($0, inFile: isTokenInFile) } ?? tokenPlace }
}
