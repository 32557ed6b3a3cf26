/// An error in the configuration, for the user: file, line and problem.
package struct ConfigurationError: Error, Equatable, Sendable, CustomStringConvertible {
    package var file: String
    /// Counted from 1; nil: the whole file.
    package var line: Int?
    /// One or two sentences: the key and the remedy. Never contains a value that may be a secret.
    package var problem: String
    /// Whether the file may be readable later, unchanged.
    package var isTemporary = false

    package init(file: String, line: Int? = nil, problem: String) {
        self.file = file
        self.line = line
        self.problem = problem
    }

    package var description: String {
        line.map { "\(file):\($0): \(problem)" } ?? "\(file): \(problem)"
    }
}
