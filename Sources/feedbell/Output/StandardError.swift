import Glibc

/// What a person is told past standard output, which is for results.
enum StandardError {
    /// Writes the text, without a line end of its own.
    static func write(_ text: String) {
        let bytes = CharacterSet.current.bytes(text)
        _ = Glibc.write(STDERR_FILENO, bytes, bytes.count)
    }
}
