import FoundationEssentials
import Glibc

/// A program in a process of its own, with the environment of the benchmark. Its output goes to a file or is discarded.
///
/// The process does not outlive the value.
struct Child: ~Copyable {
    /// Why a program could not be used.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    let pid: pid_t
    /// Just before it was begun.
    let start: ContinuousClock.Instant
    private var isOver = false

    /// - Parameter log: The file for its output.
    init(_ path: String, _ arguments: [String], log: String = "/dev/null") throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, log, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO)
        var words = ([path] + arguments).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var pid: pid_t = 0
        start = .now
        let code = posix_spawnp(&pid, path, &actions, nil, &words, environ)
        guard code == 0 else {
            throw Failure(description: "\(path) could not be started: \(String(cString: strerror(code)))")
        }
        self.pid = pid
    }

    /// Waits until the program ends by itself, and blocks the thread meanwhile.
    ///
    /// - Returns: How long it ran.
    /// - Throws: ``Failure`` if it did not end with 0.
    consuming func finished() throws -> Duration {
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0, errno == EINTR {}
        let duration = start.duration(to: .now)
        isOver = true
        guard status == 0 else { throw Failure(description: "process \(pid) ended with the status \(status)") }
        return duration
    }

    /// Runs a program to its end.
    ///
    /// - Parameter log: The file for its output.
    /// - Returns: Its output.
    /// - Throws: ``Failure`` with the output if it did not end with 0.
    static func output(of path: String, _ arguments: [String], log: String) throws -> String {
        var failure: (any Error)?
        do { _ = try Child(path, arguments, log: log).finished() } catch { failure = error }
        let output = String(decoding: FileManager.default.contents(atPath: log) ?? Data(), as: UTF8.self)
        if let failure { throw Failure(description: "\(path): \(failure): \(output)") }
        return output
    }

    /// Ends it now.
    consuming func end() {}

    deinit {
        guard !isOver else { return }
        kill(pid, SIGTERM)
        for _ in 0..<500 {
            if waitpid(pid, nil, WNOHANG) != 0 { return }
            usleep(10_000)
        }
        kill(pid, SIGKILL)
        waitpid(pid, nil, 0)
    }
}
