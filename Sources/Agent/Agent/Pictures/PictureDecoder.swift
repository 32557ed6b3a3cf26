import Basics
import Glibc
import Inbox
import ProgramKit

/// Decodes a picture in a process of its own, and scales it down.
///
/// The program is ours. Before it reads the picture, it gives up files, network and further programs, and limits its
/// memory and its computing time. For this it needs neither privileges nor namespaces.
package struct PictureDecoder: Sendable {
    /// The program that decodes.
    package static let program = "feedbell-picture"

    /// The maximum time for one picture.
    static let timeout = Duration.seconds(5)
    /// The exit code of a program that could not give up everything.
    private static let unconfined: Int32 = 71

    /// Why there is no decoder.
    package enum Problem: Error, Equatable, Sendable {
        /// The program is not where it is installed.
        case notInstalled
        /// The system does not let the program give up everything.
        case notConfined
        /// The program does not run.
        case notWorking
    }

    /// The program and its first arguments.
    private let words: [String]
    /// The names of the mechanisms that deny the program files, network and further programs, such as "seccomp,
    /// Landlock".
    package let mechanisms: String
    private let clock: any Clock<Duration>

    init(_ words: [String], mechanisms: String = "", clock: any Clock<Duration>) {
        self.words = words
        self.mechanisms = mechanisms
        self.clock = clock
    }

    /// The program of this installation, after it has shown that the system refuses it everything.
    package static func find(clock: any Clock<Duration>) async throws(Problem) -> PictureDecoder {
        guard let path else { throw .notInstalled }
        return try await PictureDecoder([path], clock: clock).checked()
    }

    /// Beside this program in the directory of a build, or else in `../lib/feedbell`.
    static var path: String? {
        guard let own = realpath("/proc/self/exe", nil) else { return nil }
        defer { free(own) }
        let path = String(cString: own)
        let directory = path[..<(path.lastIndex(of: "/") ?? path.endIndex)]
        let places = ["\(directory)/\(program)", "\(directory)/../lib/feedbell/\(program)"]
        return places.first { access($0, X_OK) == 0 }
    }

    /// The decoder with the mechanisms that confine it.
    @concurrent  // returns to the caller's executor: CallerExecutorTests
    func checked() async throws(Problem) -> PictureDecoder {
        let outcome = await run(["--check"], limit: 1 << 10)
        guard outcome?.status != .exited(Self.unconfined) else { throw .notConfined }
        let lines = String(decoding: outcome?.output ?? [], as: UTF8.self).split(separator: "\n")
        guard outcome?.status == .exited(0), let last = lines.last, last.hasPrefix("by ") else { throw .notWorking }
        return PictureDecoder(words, mechanisms: String(last.dropFirst(3)), clock: clock)
    }

    /// The picture in these bytes, of at most ``PictureFile/side`` pixels.
    ///
    /// - Parameter host: For messages.
    @concurrent  // returns to the caller's executor: CallerExecutorTests
    func decode(_ bytes: [UInt8], host: String) async throws(PictureFailure) -> PicturePixels {
        guard let header = PictureHeader(bytes) else {
            throw PictureFailure(.picture, "\(host) sent something that is not a picture in PNG, JPEG, GIF or WebP.")
        }
        guard header.isAcceptable else {
            let size = "\(header.width) × \(header.height)"
            let limit = PictureHeader.limit
            throw PictureFailure(.picture, "The picture of \(host) has \(size) pixels; at most \(limit) are allowed.")
        }
        // A small picture stays small.
        let side = min(PictureFile.side, max(header.width, header.height))
        guard let outcome = await run(["\(side)"], input: bytes, limit: 4 * side * side) else {
            throw PictureFailure(.picture, "The picture of \(host) could not be decoded in time, or was cancelled.")
        }
        guard outcome.status != .exited(Self.unconfined) else {
            throw PictureFailure(.everything, "The system does not let \(Self.program) give up files and network.")
        }
        guard outcome.status == .exited(0), outcome.output.count == 4 * side * side else {
            throw PictureFailure(.picture, "The picture of \(host) cannot be decoded.")
        }
        return PicturePixels(side: side, bytes: outcome.output)
    }

    /// Runs the program at most for ``timeout``; nil: it was ended, or could not be started.
    private func run(_ arguments: [String], input: [UInt8] = [], limit: Int) async -> ChildProgram.Outcome? {
        let program = ChildProgram(words + arguments, input: input, keepsOutput: true, limit: limit)
        return await withTaskGroup(of: ChildProgram.Outcome?.self) { group in
            group.addTask { try? await program.run() }
            group.addTask { [clock] in
                try? await clock.sleep(for: Self.timeout)
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
    }
}
