/// What is wrong with the configuration, for the person who wrote it: file, line and a sentence.
package struct ConfigurationError: Error, Equatable, Sendable, CustomStringConvertible {
    package var file: String
    /// Counted from 1; `nil` when the file as a whole is meant.
    package var line: Int?
    /// One or two sentences that name the key and say what to do. Never contains a value that may be a secret.
    package var problem: String

    package init(file: String, line: Int? = nil, problem: String) {
        self.file = file
        self.line = line
        self.problem = problem
    }

    package var description: String {
        line.map { "\(file):\($0): \(problem)" } ?? "\(file): \(problem)"
    }
}
