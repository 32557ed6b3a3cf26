import Basics
package import ClientKit
package import Inbox
import Synchronization

/// The token of a running account: reads it from its source, reports a command that takes long, and starts the command
/// again when the user asks for it.
package final class AccountToken: Sendable {
    /// A command that takes longer is reported.
    package static let reportTime = Duration.seconds(5)

    private struct State {
        var report: (@Sendable (ServiceFailure?) -> Void)?
        var refused: (@Sendable (ServiceFailure) -> Void)?
        /// Finished to restart the running command; nil: none is.
        var restart: Completion?
        var isLate = false
        /// Of the last read; nil: it found a token.
        var failure: TokenReader.Failure?
        /// Whether a read has found a token.
        var hasWorked = false
        /// The first of the failures since then that end by themselves.
        var outageStart: Duration?
    }

    private enum Outcome: Sendable {
        case read(Result<String, TokenReader.Failure>)
        case late, restarted
    }

    /// An outage that lasts for longer is not the user's to wait for.
    private static let outageLimit = Duration.seconds(3_600)

    private let reader: TokenReader
    private let uptime: @Sendable () -> Duration
    private let state = Mutex(State())

    package init(_ reader: TokenReader) {
        self.reader = reader
        uptime = reader.clock.stopwatch()
    }

    /// Reports from now on what the account waits for, and nil at the end of each wait. nil: ends the reports.
    ///
    /// - Parameter refused: Called when a backend gives no token until the user acts.
    package func observe(
        _ report: (@Sendable (ServiceFailure?) -> Void)?,
        refused: (@Sendable (ServiceFailure) -> Void)? = nil
    ) {
        state.withLock { ($0.report, $0.refused) = (report, refused) }
    }

    /// Ends a command that is running, and runs it again.
    package func restart() { state.withLock(\.restart)?.finish() }

    /// Why an account is not let in, with what is known of its token.
    ///
    /// - Parameter failure: What the service says.
    package func explained(_ failure: ServiceFailure?) -> ServiceFailure? {
        guard let own = state.withLock(\.failure), !own.isTransient else { return failure }
        var failure = reader.source.backend == nil ? failure : ServiceFailure(.unauthorized, own.description)
        if let missing = own.missing {
            failure?.missingToken = missing
            failure?.needsNewToken = true
        }
        return failure
    }

    /// The token. One call at a time.
    package func read() async throws(TokenReader.Failure) -> String {
        do throws(TokenReader.Failure) {
            let token = try await readSource()
            state.withLock { ($0.failure, $0.hasWorked, $0.outageStart) = (nil, true, nil) }
            return token
        } catch {
            let (failure, refused) = state.withLock { state in
                let failure = Self.judged(error, from: reader.source, at: uptime(), &state)
                state.failure = failure
                return (failure, state.refused)
            }
            if reader.source.backend != nil, let failure = explained(nil) { refused?(failure) }
            throw failure
        }
    }

    /// A failure of a source that has worked is an outage: its command may need the company's network.
    private static func judged(
        _ failure: TokenReader.Failure,
        from source: TokenSource,
        at uptime: Duration,
        _ state: inout State
    ) -> TokenReader.Failure {
        var failure = failure
        switch source {
        case .command, .file: if state.hasWorked, !failure.isMissing { failure.isTransient = true }
        case .secret, .credential, .backend: break
        }
        guard failure.isTransient else {
            state.outageStart = nil
            return failure
        }
        let start = state.outageStart ?? uptime
        state.outageStart = start
        if uptime - start >= outageLimit {
            failure.sentence += " It has been so for more than an hour: ask your administrator."
        }
        return failure
    }

    /// The token for a client library. A failure that ends by itself is one of the library's own, which it does not
    /// take for a refusal.
    package func read<Failure: LibraryError>(throwing failure: Failure.Type) async throws -> String {
        do throws(TokenReader.Failure) { return try await read() } catch {
            guard error.isTransient else { throw error }
            let kind: Failure.Kind = error.retryAfter == nil ? .unreachable : .rateLimited
            throw Failure(kind: kind, message: error.sentence, status: nil, retryAfter: error.retryAfter)
        }
    }

    private func readSource() async throws(TokenReader.Failure) -> String {
        guard case .command = reader.source else { return try await reader.read() }
        while true {
            if let result = await run() { return try result.get() }
        }
    }

    /// nil: to be restarted.
    private func run() async -> Result<String, TokenReader.Failure>? {
        let restart = Completion()
        state.withLock { $0.restart = restart }
        defer {
            state.withLock { $0.restart = nil }
            setLate(false)
        }
        return await withTaskGroup(of: Outcome.self) { group in
            group.addTask { [reader] in
                do throws(TokenReader.Failure) {
                    return .read(.success(try await reader.read()))
                } catch {
                    return .read(.failure(error))
                }
            }
            group.addTask {
                await restart.wait()
                return .restarted
            }
            group.addTask { [reader] in
                try? await reader.clock.sleep(for: Self.reportTime)
                return .late
            }
            defer { group.cancelAll() }
            while let outcome = await group.next() {
                switch outcome {
                case .read(let result): return result
                // At a cancellation, the command's end is near.
                case .late: if !Task.isCancelled { setLate(true) }
                case .restarted: if !Task.isCancelled { return nil }
                }
            }
            return nil
        }
    }

    private func setLate(_ isLate: Bool) {
        let report = state.withLock { state in
            defer { state.isLate = isLate }
            return state.isLate == isLate ? nil : state.report
        }
        report?(isLate ? ServiceFailure(.transient, reader.lateSentence) : nil)
    }
}

extension TokenReader {
    /// Names the program only: an argument may be a secret.
    fileprivate var lateSentence: String {
        guard case .command(let words) = source else { return "" }
        return "\"\(words[0])\" (\(name)_command) has not ended yet; it may wait for a passphrase or another program. "
            + "Run it in a terminal, then run it again here with: feedbell reconnect"
    }
}
