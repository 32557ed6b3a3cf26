import AgentInterface

/// An account that is being added: the given options and the answers.
struct NewAccount {
    var name: String?
    /// nil: not known yet.
    var service: ServiceDescription?
    /// The values by the name of their option.
    var values: [String: String]
    /// Whether the token alone names project and user.
    var hasTokenAlone: Bool
    /// The token to store; nil: none.
    var token: String?
    /// The other options of `feedbell-agent add-account`, except `--token-command`.
    var others: [String]
    /// Whether the options name the token's source, or say that there is none.
    var hasTokenSource: Bool
    var tokenCommand: [String]

    /// The service's options that this account has.
    var options: [ServiceDescription.Option] { description?.options ?? [] }

    /// The token's name in prompts.
    var tokenName: String { description?.tokenName ?? "token" }

    private var description: ServiceDescription? { hasTokenAlone ? service?.withTokenAlone : service }

    /// The options for `feedbell-agent add-account`. The token is passed by standard input.
    var arguments: [String] {
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
