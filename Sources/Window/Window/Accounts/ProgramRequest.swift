/// A run of the agent's program.
package struct ProgramRequest: Equatable, Sendable {
    package var arguments: [String]
    /// Its standard input, which may be a secret.
    package var input: String

    package init(_ arguments: [String], input: String = "") {
        (self.arguments, self.input) = (arguments, input)
    }
}
