import Glibc

/// Standard error, for errors and prompts.
enum StandardError {
    /// Writes the text, without adding a line feed.
    static func write(_ text: String) {
        let bytes = CharacterSet.current.bytes(text)
        _ = Glibc.write(STDERR_FILENO, bytes, bytes.count)
    }
}
