import Basics
import CLinux
import Glibc

/// Runs another program to its end.
///
/// The output is everything that was written until then: a process that it leaves behind may keep the pipes open
/// indefinitely, and is not waited for. When the program is killed, so are the processes of its process group.
///
/// Each run has a thread that ends with it. By posix_spawn(3), not by swift-subprocess 1.0.2, which keeps three threads
/// after the first program; with it, a program that ends without reading its input ends this one with a fatal error.
package struct ChildProgram: Sendable {
    /// Why there is no outcome.
    package enum Failure: Error, Equatable, Sendable {
        /// The system could not start it: an error number of errno(3).
        case notStarted(Int32)
        /// The program wrote more than ``limit`` bytes to one output, and was killed.
        case tooMuchOutput
        /// The task was cancelled, and the program was killed.
        case cancelled

        /// Whether the program does not exist or is not executable.
        package var isAbsent: Bool { [.notStarted(ENOENT), .notStarted(EACCES), .notStarted(ENOTDIR)].contains(self) }
    }

    /// How the program ended.
    package enum Status: Equatable, Sendable {
        case exited(Int32)
        case signaled(Int32)

        /// From the status of waitpid(2).
        init(_ status: Int32) {
            let signal = status & 0x7F
            self = signal == 0 ? .exited((status >> 8) & 0xFF) : .signaled(signal)
        }
    }

    /// The end and the output of the program.
    package struct Outcome: Equatable, Sendable {
        package var status: Status
        package var output: [UInt8]
        package var errors: [UInt8]
    }

    /// The program, looked up in `PATH` unless it contains "/", and its arguments.
    package var words: [String]
    /// Changes of the environment that the program inherits; nil removes a variable.
    package var environment: [String: String?]
    /// The content of its standard input.
    package var input: [UInt8]
    /// Whether standard output is kept. Otherwise it is discarded, or as ``inheritsOutputs`` says.
    package var keepsOutput: Bool
    /// Whether standard error is kept. Otherwise it is discarded, or as ``inheritsOutputs`` says.
    package var keepsErrors: Bool
    /// Whether outputs that are not kept are those of this process.
    package var inheritsOutputs: Bool
    /// The maximum size of each output, in bytes.
    package var limit: Int
    /// A program to run, and its arguments, after this one was killed because its task was cancelled; empty: none.
    package var cleanup: [String] = []

    package init(
        _ words: [String],
        environment: [String: String?] = [:],
        input: [UInt8] = [],
        keepsOutput: Bool = false,
        keepsErrors: Bool = false,
        inheritsOutputs: Bool = false,
        limit: Int = 1 << 20
    ) {
        self.words = words
        self.environment = environment
        self.input = input
        self.keepsOutput = keepsOutput
        self.keepsErrors = keepsErrors
        self.inheritsOutputs = inheritsOutputs
        self.limit = limit
    }

    /// Runs the program and waits for its end. Cancellation of the task kills it.
    ///
    /// - Parameter leadsGroup: Whether it has a process group of its own, so that Control-C does not reach it.
    package func run(leadsGroup: Bool = useGroups) async throws(Failure) -> Outcome {
        let life = ChildLife(isGroupLeader: leadsGroup)
        let result = await withTaskCancellationHandler {
            await runBlocking { Result { () throws(Failure) in try self.runToEnd(life) } }
        } onCancel: {
            life.cancel()
        }
        guard let result else { throw .cancelled }
        return try result.get()
    }

    /// Runs the program and waits for its end, blocking this thread.
    ///
    /// - Parameter leadsGroup: Whether it has a process group of its own, so that Control-C does not reach it.
    package func runToEnd(leadsGroup: Bool = useGroups) throws(Failure) -> Outcome {
        try runToEnd(ChildLife(isGroupLeader: leadsGroup))
    }

    /// Not on a terminal: it stops programs of other groups that read from it, such as a prompt for a passphrase, and
    /// Control-C does not reach them.
    package static let useGroups: Bool = {
        let terminal = open("/dev/tty", O_RDONLY | O_NOCTTY | O_CLOEXEC)
        if terminal >= 0 { close(terminal) }
        return terminal < 0
    }()

    private func runToEnd(_ life: ChildLife) throws(Failure) -> Outcome {
        let pipes = try (0..<3).map { (_) throws(Failure) in try Pipe() }
        if input.isEmpty { pipes[0].close() }
        if !keepsOutput { pipes[1].close() }
        if !keepsErrors { pipes[2].close() }
        let child = try spawn(pipes, isGroupLeader: life.isGroupLeader)
        life.started(child)
        // The program has copies of these.
        pipes[0].closeReading()
        pipes[1].closeWriting()
        pipes[2].closeWriting()
        let outputs = exchange(pipes, with: child, life)
        if outputs == nil { life.end() }
        for pipe in pipes { pipe.close() }
        let status = life.wait()
        if life.isCancelled, !cleanup.isEmpty { _ = try? ChildProgram(cleanup).runToEnd() }
        guard let outputs else { throw life.isCancelled ? .cancelled : .tooMuchOutput }
        return Outcome(status: Status(status), output: outputs[0], errors: outputs[1])
    }

    /// How often the end of the program is checked where the system has no pidfd_open(2), in milliseconds.
    private static let interval: Int32 = 50

    /// Writes the input and reads both outputs until the program ends; nil: one is too long.
    private func exchange(_ pipes: [Pipe], with child: pid_t, _ life: ChildLife) -> [[UInt8]]? {
        let end = feedbell_pidfd(child)
        defer { if end >= 0 { close(end) } }
        var input = input[...]
        var outputs: [[UInt8]] = [[], []]
        var hasEnded = false
        while true {
            if input.isEmpty || hasEnded { pipes[0].closeWriting() }
            // poll(2) ignores negative descriptors.
            var events = [
                pollfd(fd: pipes[0].writing, events: Int16(POLLOUT), revents: 0),
                pollfd(fd: pipes[1].reading, events: Int16(POLLIN), revents: 0),
                pollfd(fd: pipes[2].reading, events: Int16(POLLIN), revents: 0),
                pollfd(fd: hasEnded ? -1 : end, events: Int16(POLLIN), revents: 0),
            ]
            let count = poll(&events, nfds_t(events.count), hasEnded ? 0 : end >= 0 ? -1 : Self.interval)
            // Everything that was written before the end has been read.
            if hasEnded, count == 0 { return outputs }
            hasEnded = hasEnded || (end >= 0 ? count > 0 && events[3].revents != 0 : life.hasEnded)
            guard count > 0 else { continue }
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
                if outputs[index - 1].count > limit { return nil }
                if count == 0 || count < 0 && errno != EINTR { pipes[index].closeReading() }
            }
        }
    }

    /// Starts the program with the pipes as standard input, output and error, and no other open descriptors.
    private func spawn(_ pipes: [Pipe], isGroupLeader: Bool) throws(Failure) -> pid_t {
        signal(SIGPIPE, SIG_IGN)
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        let ends = [pipes[0].reading, pipes[1].writing, pipes[2].writing]
        for (descriptor, end) in ends.enumerated() {
            if end >= 0 {
                posix_spawn_file_actions_adddup2(&actions, end, Int32(descriptor))
            } else if descriptor == 0 || !inheritsOutputs {
                let mode = descriptor == 0 ? O_RDONLY : O_WRONLY
                posix_spawn_file_actions_addopen(&actions, Int32(descriptor), "/dev/null", mode, 0)
            }
        }
        posix_spawn_file_actions_addclosefrom_np(&actions, 3)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // Ignored and blocked signals would be inherited.
        var signals = sigset_t()
        sigemptyset(&signals)
        for number in [SIGPIPE, SIGXFSZ] { sigaddset(&signals, number) }
        posix_spawnattr_setsigdefault(&attributes, &signals)
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        let group = isGroupLeader ? POSIX_SPAWN_SETPGROUP : 0
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | group))
        var arguments = Self.pointers(words)
        var variables = Self.pointers(inheritedEnvironment)
        defer { for pointer in arguments + variables { free(pointer) } }
        var child: pid_t = 0
        let code = posix_spawnp(&child, words[0], &actions, &attributes, &arguments, &variables)
        guard code == 0 else { throw .notStarted(code) }
        return child
    }

    /// Whether there is such a program in `PATH`.
    package static func isInstalled(_ name: String) -> Bool {
        if name.contains("/") { return access(name, X_OK) == 0 }
        let path = getenv("PATH").map { String(cString: $0) } ?? "/bin:/usr/bin"
        return path.split(separator: ":").contains { access("\($0)/\(name)", X_OK) == 0 }
    }

    private static func pointers(_ texts: [String]) -> [UnsafeMutablePointer<CChar>?] {
        texts.map { strdup($0) } + [nil]
    }

    /// The environment of this process with the changes, as `NAME=value`.
    private var inheritedEnvironment: [String] {
        var all: [String] = []
        var next = environ
        while let entry = next.pointee {
            let text = String(cString: entry)
            let name = String(text.prefix { $0 != "=" })
            if environment.index(forKey: name) == nil { all.append(text) }
            next += 1
        }
        for (name, value) in environment { if let value { all.append("\(name)=\(value)") } }
        return all
    }
}

/// A pipe whose ends are closed on demand or with this object. Child processes do not inherit them.
private final class Pipe {
    /// -1: closed.
    private(set) var reading: Int32 = -1
    private(set) var writing: Int32 = -1

    init() throws(ChildProgram.Failure) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw .notStarted(errno) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        (reading, writing) = (ends[0], ends[1])
    }

    func close() {
        closeReading()
        closeWriting()
    }

    func closeReading() { Self.close(&reading) }

    func closeWriting() { Self.close(&writing) }

    private static func close(_ end: inout Int32) {
        if end >= 0 { Glibc.close(end) }
        end = -1
    }

    deinit { close() }
}
