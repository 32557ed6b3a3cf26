import ArgumentParser
import Glibc
import Synchronization
import VisibleText

/// Standard output, for results.
enum Output {
    /// The errno(3) of a failed write; 0: none failed.
    private static let failure = Atomic<Int32>(0)

    /// Writes text in the character set of the user's locale.
    static func text(_ text: String, terminator: String = "\n") {
        record(StandardStream.output.write(text + terminator))
    }

    /// Writes each sentence on a line, which a terminal breaks between words.
    static func sentences(_ sentences: [String]) {
        let columns = Terminal.standardOutput?.columns
        for line in sentences.map(\.onOneLine) {
            text(columns.map { line.wrapped(toColumns: $0, hanging: 2) } ?? line)
        }
    }

    /// Writes a sentence about a result that is empty, on a terminal. Programs read nothing instead.
    static func note(_ sentence: String) {
        if Terminal.standardOutput != nil { text(sentence) }
    }

    /// Writes JSON and a line feed.
    static func json(_ json: JSONText) { record(StandardStream.output.write(json: json.text)) }

    private static func record(_ reason: Int32) {
        if reason == EPIPE { endSilently() }
        if reason != 0 { failure.store(reason, ordering: .relaxed) }
    }

    /// The reader has what it wants, such as head(1): ends the process as a process ends that does not ignore SIGPIPE.
    private static func endSilently() -> Never {
        signal(SIGPIPE, SIG_DFL)
        raise(SIGPIPE)
        exit(128 + SIGPIPE)
    }

    /// Throws if a write failed, for example because the disk is full.
    static func check() throws(Failure) {
        let reason = failure.load(ordering: .relaxed)
        if reason == 0 { return }
        let cause = String(cString: strerror(reason))
        throw Failure(translated("Cannot write to standard output: {reason}.", ["reason": cause]), .outputFailed)
    }
}
