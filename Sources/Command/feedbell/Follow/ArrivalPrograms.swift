import AgentInterface
import ArgumentParser
import Basics
import Glibc
import ProgramKit
import Synchronization
import VisibleText

/// Runs a program for each new notification, as ``ProgramQueue`` decides. A failure is reported on standard error.
///
/// Each has a process group of its own: Control-C ends `feedbell follow`, and not what it has started.
final class ArrivalPrograms: Sendable {
    /// The maximum length of a variable of the environment, in scalars: execve(2) limits it to 128 KiB.
    private static let maximumLength = 4096

    /// The program and its arguments.
    private let words: [String]
    /// The time after which a program is killed; nil: none.
    private let timeout: Duration?
    /// The time after which a program that still runs is reported.
    private let slowness: Duration
    /// Reports a sentence about a program.
    private let report: @Sendable (String) -> Void
    private let queue = Mutex(ProgramQueue())
    private let starts = Mailbox<NotificationRecord>()

    /// - Throws: ``Failure`` if there is no such program.
    init(
        _ words: [String],
        timeout: Duration? = nil,
        slowness: Duration = ProgramQueue.slowness,
        report: @escaping @Sendable (String) -> Void = { Failure($0, .failure).report() }
    ) throws {
        guard ChildProgram.isInstalled(words[0]) else {
            throw Failure(
                translated("There is no executable program \"{name}\".", ["name": words[0].onOneLine]),
                .usage
            )
        }
        (self.words, self.timeout, self.slowness, self.report) = (words, timeout, slowness, report)
    }

    func arrived(_ notification: NotificationRecord) { perform(queue.withLock { $0.arrived(notification) }) }

    /// Runs the programs, until those that are running at ``close(isInterrupted:)`` have ended.
    func run() async {
        await withDiscardingTaskGroup { group in
            for await notification in starts.messages {
                group.addTask {
                    await self.run(for: notification)
                    self.perform(self.queue.withLock { $0.ended() })
                }
            }
        }
    }

    /// Starts no more programs: nothing is followed any longer.
    ///
    /// - Parameter isInterrupted: Whether the user, or the system, ends this program.
    func close(isInterrupted: Bool) {
        let (discarded, effect, running) = queue.withLock { queue in
            let (discarded, effect) = queue.close()
            return (discarded, effect, queue.running)
        }
        let program = words[0].onOneLine
        if discarded > 0 {
            let problem = translated(
                "{program} does not run for {count} notification that waits for it.",
                plural: "{program} does not run for {count} notifications that wait for it.",
                count: discarded,
                ["program": program]
            )
            Failure(problem, .failure).report()
        }
        if running > 0, isInterrupted {
            let notice = translated(
                "Waiting until {program} has ended. Interrupt again to leave it running.",
                ["program": program]
            )
            Failure(notice, .interrupted).report()
        }
        perform(effect)
    }

    private func perform(_ effect: ProgramQueue.Effect?) {
        switch effect {
        case .finish?: starts.close()
        case .start(let notification)?: starts.send(notification)
        case .discard(let notification)?:
            let problem = translated(
                "{program} is too slow: {count} notifications wait for it. It does not run for {id}.",
                [
                    "program": words[0].onOneLine, "count": "\(ProgramQueue.maximumWaiting)",
                    "id": notification.id.onOneLine,
                ]
            )
            Failure(problem, .failure).report()
        case nil: break
        }
    }

    private func run(for notification: NotificationRecord) async {
        let program = Self.program(words, for: notification)
        let names = ["program": words[0].onOneLine, "id": notification.id.onOneLine]
        let result = await withTaskGroup { group in
            group.addTask { [timeout] in Event.ended(await Self.result(of: program, isKillable: timeout != nil)) }
            group.addTask { [slowness, report] in
                guard (try? await Task.sleep(for: slowness)) != nil else { return .slow }
                let values = names.merging(["seconds": slowness.secondsText]) { $1 }
                report(translated("{program} has been running for {seconds} s for the notification {id}.", values))
                return .slow
            }
            if let timeout {
                group.addTask {
                    try? await Task.sleep(for: timeout)
                    return .timedOut
                }
            }
            defer { group.cancelAll() }
            for await event in group {
                switch event {
                case .ended(let result): return result
                case .slow: break
                // Kills it.
                case .timedOut: group.cancelAll()
                }
            }
            return nil
        }
        switch result {
        case .failure(.cancelled)? where timeout != nil:
            let values = names.merging(["seconds": timeout?.secondsText ?? ""]) { $1 }
            report(translated("{program} was killed after {seconds} s for the notification {id}.", values))
        case nil, .failure(.cancelled)?, .failure(.tooMuchOutput)?: break
        case .success(let outcome)?:
            switch outcome.status {
            case .exited(0): break
            case .exited(let code):
                let values = names.merging(["code": "\(code)"]) { $1 }
                report(translated("{program} ended with exit code {code} for the notification {id}.", values))
            case .signaled(let signal):
                let values = names.merging(["signal": "\(signal)"]) { $1 }
                report(translated("{program} was ended by signal {signal} for the notification {id}.", values))
            }
        case .failure(.notStarted(let code))?:
            let values = names.merging(["reason": String(cString: strerror(code))]) { $1 }
            report(translated("{program} cannot be started for the notification {id}: {reason}", values))
        }
    }

    private enum Event: Sendable {
        case ended(Result<ChildProgram.Outcome, ChildProgram.Failure>?)
        case slow
        case timedOut
    }

    /// - Parameter isKillable: Whether cancellation kills it; otherwise it keeps running.
    private static func result(
        of program: ChildProgram,
        isKillable: Bool
    ) async -> Result<ChildProgram.Outcome, ChildProgram.Failure>? {
        guard isKillable else {
            return await runBlocking {
                Result { () throws(ChildProgram.Failure) in try program.runToEnd(leadsGroup: true) }
            }
        }
        do throws(ChildProgram.Failure) { return .success(try await program.run(leadsGroup: true)) } catch {
            return .failure(error)
        }
    }

    /// The program with the notification as JSON on its standard input, and its main values in the environment. There,
    /// they have no control characters.
    static func program(_ words: [String], for notification: NotificationRecord) -> ChildProgram {
        func limited(_ text: String) -> String { String(text.unicodeScalars.prefix(maximumLength)) }
        func line(_ text: String) -> String { limited(text.onOneLine) }
        let json = JSONText(notification.values).text + "\n"
        return ChildProgram(
            words,
            environment: [
                "FEEDBELL_ACCOUNT": line(notification.account), "FEEDBELL_ID": line(notification.id),
                "FEEDBELL_TITLE": line(notification.title), "FEEDBELL_BODY": limited(notification.body.printable),
                "FEEDBELL_URL": line(notification.url), "FEEDBELL_CATEGORY": line(notification.category),
                "FEEDBELL_TAGS": limited(notification.tags.map(\.onOneLine).joined(separator: "\n")),
                "FEEDBELL_CREATED": "\(notification.created)",
            ],
            input: Array(json.utf8),
            inheritsOutputs: true
        )
    }
}
