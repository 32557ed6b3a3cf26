/// An account that is being added: the given options and the answers.
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
    /// The other options of `feedbell-agent add-account`, except `--token-command`.
    package var others: [String]
    /// Whether the options name the token's source, or say that there is none.
    package var hasTokenSource: Bool
    package var tokenCommand: [String]

    package init(
        name: String? = nil,
        service: ServiceDescription? = nil,
        values: [String: String] = [:],
        hasTokenAlone: Bool = false,
        signsInWithBrowser: Bool = false,
        token: String? = nil,
        others: [String] = [],
        hasTokenSource: Bool = false,
        tokenCommand: [String] = []
    ) {
        (self.name, self.service, self.values, self.hasTokenAlone) = (name, service, values, hasTokenAlone)
        self.signsInWithBrowser = signsInWithBrowser
        (self.token, self.others, self.hasTokenSource, self.tokenCommand) = (
            token, others, hasTokenSource, tokenCommand
        )
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

    /// The options for `feedbell-agent add-account`. The token is passed by standard input.
    package var arguments: [String] {
        let given =
            [("name", name), ("provider", service?.name)]
            + values.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        // With "=", a value may start with a dash, but not be empty.
        let words = given.flatMap { option, value in
            value.map { $0.isEmpty ? ["--\(option)", ""] : ["--\(option)=\($0)"] } ?? []
        }
        return words + (hasTokenAlone ? ["--token-alone"] : []) + others + (token == nil ? [] : ["--token-stdin"])
    }
}
