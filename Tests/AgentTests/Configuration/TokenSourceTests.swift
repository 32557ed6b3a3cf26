import AgentTestSupport
import Basics
import Foundation
import Inbox
import ProgramKit
import TestSupport
import Testing

@testable import Agent

/// Sources of tokens that do not answer, or leave something behind.
@Suite(.timeLimit(.minutes(5))) struct TokenSourceTests {
    private static func reader(_ source: TokenSource, clock: any Clock<Duration> = ManualClock()) -> TokenReader {
        TokenReader(source: source, clock: clock, keyring: Keyring(nil), place: .here)
    }

    private static func failure(_ source: TokenSource, _ clock: any Clock<Duration>) async -> TokenReader.Failure? {
        do throws(TokenReader.Failure) {
            _ = try await reader(source, clock: clock).read()
            return nil
        } catch {
            return error
        }
    }

    /// The content of a file that a command writes.
    private static func content(of path: String) async throws -> String {
        let text = try await waiting(for: "a line of \(path)") {
            try? String(contentsOfFile: path, encoding: .utf8)
        } until: {
            $0?.hasSuffix("\n") == true
        }
        return String(try #require(text).dropLast())
    }

    @Test("After an hour without a token from a source that has worked, an administrator is named") func outage()
        async throws
    {
        let clock = ManualClock()
        try await TemporaryFile.with("secret\n") { file in
            let token = AccountToken(Self.reader(.file(file.path), clock: clock))
            func sentence() async -> String? {
                do throws(TokenReader.Failure) { _ = try await token.read() } catch {
                    #expect(error.isTransient)
                    return error.sentence
                }
                return nil
            }
            #expect(await sentence() == nil)
            try file.write("")
            #expect(await sentence()?.hasSuffix("returned no token.") == true)
            clock.advance(by: .seconds(3_599))
            #expect(await sentence()?.contains("administrator") == false)
            clock.advance(by: .seconds(1))
            #expect(await sentence()?.hasSuffix("for more than an hour: ask your administrator.") == true)
            try file.write("secret\n")
            #expect(await sentence() == nil)
            try file.write("")
            #expect(await sentence()?.contains("administrator") == false)
        }
    }

    @Test("A command that leaves a process with its output behind gives its token at its own end")
    func leftProcess() async throws {
        try await TemporaryFile.with("", named: "process") { file in
            let script = "sleep 1000 & echo $! >\(file.path); echo secret"
            #expect(try await Self.reader(.command(["sh", "-c", script])).read() == "secret")
            let process = try #require(Int32(try await Self.content(of: file.path)))
            #expect(kill(process, SIGKILL) == 0)
        }
    }

    @Test(
        "At its deadline, a command ends with the processes that it has started",
        .enabled(if: ChildProgram.useGroups, "on a terminal, programs stay in its group")
    )
    func processGroup() async throws {
        try await TemporaryFile.with("", named: "process") { file in
            let clock = ManualClock()
            let script = "sleep 1000 & echo $! >\(file.path); wait"
            async let failure = Self.failure(.command(["sh", "-c", script]), clock)
            let process = try #require(Int32(try await Self.content(of: file.path)))
            await clock.sleepers(1)
            clock.advance(by: TokenReader.defaultDeadline)
            #expect(await failure?.command == .tooSlow(TokenReader.defaultDeadline))
            try await Self.waitForEnd(of: process)
        }
    }

    /// Without a parent that waits for it, a process that has ended may remain as a zombie.
    private static func waitForEnd(of process: pid_t) async throws {
        let path = "/proc/\(process)/stat"
        try await waiting(for: "the end of the process \(process)") {
            (try? String(contentsOfFile: path, encoding: .utf8))?.contains(") Z ") ?? true
        }
    }

    @Test("A command that takes long is reported without its arguments, and a reconnect ends it and runs it again")
    func slowCommand() async throws {
        try await TemporaryFile.with("", named: "process") { file in
            let clock = ManualClock()
            let script = "[ ! -s \(file.path) ] || exec echo token; echo $$ >\(file.path); exec sleep 1000"
            let token = AccountToken(Self.reader(.command(["sh", "-c", script]), clock: clock))
            let reports = Mailbox<ServiceFailure?>()
            token.observe { reports.send($0) }
            async let text = token.read()
            let process = try #require(Int32(try await Self.content(of: file.path)))
            await clock.sleepers(2)
            clock.advance(by: AccountToken.reportTime)
            let report = try #require(await reports.messages.next() ?? nil)
            #expect(report.kind == .transient)
            #expect(report.sentence.hasPrefix("\"sh\" (token_command) has not ended yet"))
            #expect(!report.sentence.contains("sleep"))
            token.restart()
            #expect(try await text == "token")
            #expect(await reports.messages.next() == .some(nil))
            try await Self.waitForEnd(of: process)
        }
    }

    @Test("A check ends a token command that does not end")
    func hangingCommand() async throws {
        let clock = ManualClock()
        let reader = TokenReader(
            source: .command(["sleep", "infinity"]),
            clock: clock,
            keyring: Keyring(nil),
            place: .here,
            deadline: TokenReader.checkTimeout
        )
        async let failure = #expect(throws: TokenReader.Failure.self) { try await reader.read() }
        await clock.sleeper(for: .seconds(10))
        clock.advance(by: .seconds(10))
        #expect(await failure?.command == .tooSlow(.seconds(10)))
    }

    @Test("A FIFO and a directory are no token files")
    func irregularFile() async throws {
        try await TemporaryFile.with("", named: "file") { file in
            let fifo = file.directory + "/fifo"
            #expect(mkfifo(fifo, 0o600) == 0)
            for path in [fifo, file.directory] {
                let failure = await #expect(throws: TokenReader.Failure.self) {
                    try await Self.reader(.file(path)).read()
                }
                #expect(
                    failure?.sentence.contains("\"\(path)\" (token_file) is not used: it is no regular file") == true
                )
            }
        }
    }

    @Test("A file system that does not answer takes one thread, and is used again when it answers")
    func unresponsiveFile() async throws {
        let clock = ManualClock()
        let file = GuardedFile(path: "/nowhere/\(UUID().uuidString)", limit: 8, isSecret: false)
        let gate = DispatchSemaphore(value: 0)
        func contents() async -> Result<String, GuardedFile.Failure> {
            do throws(GuardedFile.Failure) {
                return .success(
                    try await file.contents(clock: clock) {
                        gate.wait()
                        return "text"
                    }
                )
            } catch {
                return .failure(error)
            }
        }
        async let first = contents()
        await clock.sleepers(1)
        clock.advance(by: GuardedFile.timeout)
        #expect(await first == .failure(.unresponsive))
        // At once: no clock moves.
        #expect(await contents() == .failure(.unresponsive))
        gate.signal()
        gate.signal()
        while await contents() != .success("text") { gate.signal() }
    }
}
