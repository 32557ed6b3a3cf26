import AgentTestSupport

/// `feedbell accounts add` as a process.
enum AccountsCommand {
    /// The required options.
    static let required = required(user: "anna")

    /// The required options for this user.
    static func required(user: String) -> [String] { ["--public-key", "SS.PUBK.sandbox", "--distinct-id", user] }

    /// The attributes of the item that an account's token is stored in by the Secret Service.
    static func attributes(ofSecretOf account: String) -> [String: String] {
        ["application": "org.feedbell.Agent", "account": account, "xdg:schema": "org.feedbell.Token"]
    }

    /// - Parameter isVerified: Whether the service is asked, which has to run then.
    static func add(
        _ arguments: [String],
        input: String = "",
        isVerified: Bool = false
    ) async throws -> Programs.Outcome {
        let verification = isVerified ? [] : ["--no-verify"]
        return try await Programs.run("feedbell", ["accounts", "add"] + verification + arguments, input: input)
    }
}
