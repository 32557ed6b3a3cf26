import Basics
import Glibc
import VisibleText

/// The program `feedbell-agent`, which this command runs for tasks that need the network or secrets: this keeps the
/// command small.
///
/// Started by posix_spawn(3), not by swift-subprocess 1.0.2: with that, a program that ends without reading its input,
/// such as one that rejects an option, ends this one with a fatal error. It also takes 2 ms more for each start (median
/// 13.2 ms instead of 11.4 ms, minimum 8.0 ms instead of 5.1 ms) and up to 0.7 MB of the size limit of 16 MB.
struct AgentProgram {
    /// Why the program could not be run, in a sentence.
    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    /// The exit status and output of the program.
    struct Outcome: Equatable {
        /// The exit code; 128 plus the signal's number after a signal, as in a shell.
        var status: Int32
        var output: String
        var errors: String
    }

    static let name = "feedbell-agent"
    /// The maximum size of standard output and standard error, in bytes.
    static let limit = 1 << 20

    let path: String

    /// The program in the directory of this command, or else in `PATH`; nil: not installed.
    static func find() -> AgentProgram? {
        // The program receives secrets: relative and empty entries of PATH are ignored.
        let searched =
            getenv("PATH").map { String(cString: $0) }?.split(separator: ":").filter { $0.first == "/" } ?? []
        let directories = [ownDirectory].compactMap(\.self) + searched.map(String.init)
        let candidates: [String] = directories.map { "\($0)/\(name)" }
        return candidates.first { access($0, X_OK) == 0 }.map(AgentProgram.init)
    }

    private static var ownDirectory: String? {
        guard let own = realpath("/proc/self/exe", nil) else { return nil }
        defer { free(own) }
        let path = String(cString: own)
        return path.lastIndex(of: "/").map { String(path[..<$0]) }
    }

    /// Runs the program and waits for its end.
    ///
    /// - Parameter input: The content of its standard input.
    func run(_ arguments: [String], input: String = "") async throws(Failure) -> Outcome {
        let result = await runBlocking { () -> Result<Outcome, Failure> in
            Result { () throws(Failure) in try runToEnd(arguments, Array(input.utf8)) }
        }
        guard let result else { throw Failure(description: "\(path) was not awaited: the command was cancelled.") }
        return try result.get()
    }

    /// Runs the program and waits for its end, blocking this thread.
    func runToEnd(_ arguments: [String], _ input: [UInt8] = []) throws(Failure) -> Outcome {
        var input = input[...]
        let pipes = try (0..<3).map { (_) throws(Failure) in try Pipe() }
        let child = try spawn(arguments, pipes)
        // The child process has copies of these.
        pipes[0].closeReading()
        pipes[1].closeWriting()
        pipes[2].closeWriting()
        var outputs: [[UInt8]] = [[], []]
        var isTooLong = false
        while pipes[1].reading >= 0 || pipes[2].reading >= 0 {
            if input.isEmpty { pipes[0].closeWriting() }
            // poll(2) ignores negative descriptors.
            var events = [
                pollfd(fd: pipes[0].writing, events: Int16(POLLOUT), revents: 0),
                pollfd(fd: pipes[1].reading, events: Int16(POLLIN), revents: 0),
                pollfd(fd: pipes[2].reading, events: Int16(POLLIN), revents: 0),
            ]
            guard poll(&events, nfds_t(events.count), -1) > 0 else { continue }
            if events[0].revents != 0 {
                // Fails if the program closed its standard input (SIGPIPE is ignored).
                let count = input.withUnsafeBytes {
                    write(pipes[0].writing, $0.baseAddress, min($0.count, Int(PIPE_BUF)))
                }
                input = count > 0 ? input.dropFirst(count) : []
            }
            for index in 1...2 where events[index].revents != 0 {
                var buffer = [UInt8](repeating: 0, count: 16 << 10)
                let count = read(pipes[index].reading, &buffer, buffer.count)
                if count > 0 { outputs[index - 1] += buffer[..<count] }
                if outputs[index - 1].count > Self.limit {
                    isTooLong = true
                    kill(child, SIGKILL)
                }
                if count <= 0 || isTooLong { pipes[index].closeReading() }
            }
        }
        pipes[0].closeWriting()
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0, errno == EINTR {}
        if isTooLong { throw Failure(description: "\(path) wrote more than \(Self.limit) bytes.") }
        let signal = status & 0x7F
        return Outcome(
            status: signal == 0 ? (status >> 8) & 0xFF : 128 + signal,
            output: CharacterSet.current.text(outputs[0]),
            errors: CharacterSet.current.text(outputs[1])
        )
    }

    /// Starts the program with the pipes as standard input, output and error, and no other open descriptors.
    private func spawn(_ arguments: [String], _ pipes: [Pipe]) throws(Failure) -> pid_t {
        signal(SIGPIPE, SIG_IGN)
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        let ends = [pipes[0].reading, pipes[1].writing, pipes[2].writing]
        for (descriptor, end) in ends.enumerated() {
            posix_spawn_file_actions_adddup2(&actions, end, Int32(descriptor))
        }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // An ignored SIGPIPE would be inherited.
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
        var words: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var child: pid_t = 0
        let code = posix_spawn(&child, path, &actions, &attributes, &words, environ)
        guard code == 0 else {
            throw Failure(description: "Cannot start \(path): \(String(cString: strerror(code))).")
        }
        return child
    }
}

/// A pipe whose ends are closed on demand or with this object. Child processes do not inherit them.
private final class Pipe {
    /// -1: closed.
    private(set) var reading: Int32 = -1
    private(set) var writing: Int32 = -1

    init() throws(AgentProgram.Failure) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else {
            throw AgentProgram.Failure(description: "Cannot create a pipe: \(String(cString: strerror(errno))).")
        }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        (reading, writing) = (ends[0], ends[1])
    }

    func closeReading() { Self.close(&reading) }

    func closeWriting() { Self.close(&writing) }

    private static func close(_ end: inout Int32) {
        if end >= 0 { Glibc.close(end) }
        end = -1
    }

    deinit {
        Self.close(&reading)
        Self.close(&writing)
    }
}
