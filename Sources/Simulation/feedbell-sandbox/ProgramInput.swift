import Dispatch
import Glibc
import Sandbox
import VisibleText

/// Input and output of the program: lines and signals.
enum ProgramInput {
    enum Event: Sendable {
        case line(String)
        /// SIGINT or SIGTERM.
        case signal
    }

    /// Lines of standard input until its end, and signals until the process ends.
    static func events() -> AsyncStream<Event> {
        AsyncStream { continuation in
            let queue = DispatchQueue(label: "signals")
            for number in [SIGINT, SIGTERM] {
                Glibc.signal(number, SIG_IGN)
                let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
                // The handler retains its source, so that signals are handled until the process ends.
                source.setEventHandler { [source] in
                    _ = source
                    continuation.yield(.signal)
                }
                source.resume()
            }
            // Reading blocks, so it has its own thread, which ends with the process.
            DispatchQueue(label: "standard input").async {
                StandardInput.forEachLine { continuation.yield(.line($0)) }
            }
        }
    }

    /// Prints a report: violations to standard error, other lines to standard output.
    static let show: @Sendable (Sandbox.Report) -> Void = { report in
        switch report {
        case .line(let line): print(line)
        case .violation(let violation):
            write("violation: \(violation)", to: STDERR_FILENO)
        }
    }

    /// Prints a line at once, into a pipe as well, which the C library's streams do not.
    static let print: @Sendable (String) -> Void = { write($0, to: STDOUT_FILENO) }

    private static func write(_ line: String, to descriptor: Int32) {
        var line = line + "\n"
        line.withUTF8 { bytes in
            var rest = UnsafeRawBufferPointer(bytes)
            while !rest.isEmpty {
                let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
                guard count > 0 else { return }
                rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
            }
        }
    }
}
