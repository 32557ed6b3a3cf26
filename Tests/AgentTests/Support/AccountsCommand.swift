/// `feedbell accounts add` as a process.
enum AccountsCommand {
    /// The required options.
    static let required = ["--public-key", "SS.PUBK.sandbox", "--distinct-id", "anna"]

    static func add(_ arguments: [String], input: String = "") async throws -> Programs.Outcome {
        try await Programs.run("feedbell", ["accounts", "add"] + arguments, input: input)
    }
}
