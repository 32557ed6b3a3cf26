import Dispatch
import Glibc
import Sandbox

/// The program's ends: lines and signals in, lines out.
enum Terminal {
    enum Event: Sendable {
        case line(String)
        /// SIGINT or SIGTERM.
        case signal
    }

    /// Lines of standard input until its end, and signals for ever.
    static func events() -> AsyncStream<Event> {
        AsyncStream { continuation in
            let queue = DispatchQueue(label: "signals")
            for number in [SIGINT, SIGTERM] {
                Glibc.signal(number, SIG_IGN)
                let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
                // The handler keeps its source: signals are heard as long as the process lives.
                source.setEventHandler { [source] in
                    _ = source
                    continuation.yield(.signal)
                }
                source.resume()
            }
            // Reading blocks, so it has a thread of its own, which the end of the process ends.
            DispatchQueue(label: "standard input").async {
                while let line = readLine() { continuation.yield(.line(line)) }
            }
        }
    }

    /// Prints what happened: violations to standard error, the rest to standard output.
    static let show: @Sendable (Sandbox.Report) -> Void = { report in
        switch report {
        case .line(let line): say(line)
        case .violation(let violation):
            write("violation: \(violation)", to: STDERR_FILENO)
        }
    }

    /// Prints a line at once, into a pipe as well. Past the C library's streams: flushing those waits for standard input,
    /// which another thread holds while it reads.
    static let say: @Sendable (String) -> Void = { write($0, to: STDOUT_FILENO) }

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
