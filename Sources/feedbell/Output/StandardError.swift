import Glibc

/// What a person is told past standard output, which is for results.
enum StandardError {
    /// Writes the text as it is, without a line end of its own.
    static func write(_ text: String) {
        var text = text
        text.withUTF8 { bytes in _ = Glibc.write(STDERR_FILENO, bytes.baseAddress, bytes.count) }
    }
}
