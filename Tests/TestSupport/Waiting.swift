import Synchronization
package import Testing

/// How long a wait goes on without anything new.
package enum Patience {
    /// More than a minute is only for what happens after a time that a program is known to let pass.
    @TaskLocal package static var seconds = 60
}

/// Runs `body`, which waits for something. After a minute without anything new, the test has failed: it says what it
/// waits for and what was seen, and ends. This is not for a task that may be idle beside its test.
///
/// The minute is counted in seconds that this process was given, so a computer that is busy or sleeps extends it.
///
/// - Parameters:
///   - what: Ends the sentence "nothing new for 60 s while the test waited for …".
///   - seen: What there is so far; whatever differs from the last time begins another minute.
///   - giveUp: Ends `body`. The default fails the test and cancels it.
package func waiting<Result, Failure: Error>(
    for what: String,
    seen: @escaping @Sendable () -> String,
    clock: any Clock<Duration> = ContinuousClock(),
    sourceLocation: SourceLocation = #_sourceLocation,
    giveUp: @escaping @Sendable (String, SourceLocation) -> Void = endTest,
    _ body: () async throws(Failure) -> Result
) async throws(Failure) -> Result {
    let result: Swift.Result<Result, Failure> = await withDiscardingTaskGroup { group in
        group.addTask {
            var (last, seconds) = (seen(), 0)
            while seconds < Patience.seconds {
                do { try await clock.sleep(for: .seconds(1)) } catch { return }
                let now = seen()
                (last, seconds) = now == last ? (last, seconds + 1) : (now, 0)
            }
            guard !Task.isCancelled else { return }
            let sentence = "nothing new for \(seconds) s while the test waited for \(what); seen: \(last)"
            giveUp(sentence, sourceLocation)
        }
        defer { group.cancelAll() }
        do throws(Failure) { return .success(try await body()) } catch { return .failure(error) }
    }
    return try result.get()
}

/// Fails the test with this sentence, and cancels it.
@Sendable package func endTest(_ sentence: String, _ sourceLocation: SourceLocation) {
    Issue.record(Comment(rawValue: sentence), sourceLocation: sourceLocation)
    try? Test.cancel("it saw nothing new")
}

/// Looks again and again until a value fits, and returns it. It gives up as the other `waiting` does: each value that
/// differs from the one before is something new.
@discardableResult
package func waiting<Value: Equatable>(
    for what: String,
    every pause: Duration = .milliseconds(5),
    sourceLocation: SourceLocation = #_sourceLocation,
    seeing look: () async throws -> Value,
    until fits: (Value) throws -> Bool
) async throws -> Value {
    let seen = SeenValues()
    return try await waiting(for: what, seen: { seen.description }, sourceLocation: sourceLocation) {
        var last: Value?
        while true {
            let value = try await look()
            if try fits(value) { return value }
            if value != last { seen.note("\(value)") }
            last = value
            try await Task.sleep(for: pause)
        }
    }
}

/// Waits until a condition is met.
package func waiting(
    for what: String,
    every pause: Duration = .milliseconds(5),
    sourceLocation: SourceLocation = #_sourceLocation,
    until isMet: () async throws -> Bool
) async throws {
    try await waiting(for: what, every: pause, sourceLocation: sourceLocation, seeing: isMet) { $0 }
}

/// Looks again and again until a value lasts, and returns it: this many readings in succession fit and are equal. Here,
/// another value is nothing new: the test has failed if none lasts within a minute.
///
/// - Parameter what: The middle of the sentence "no … lasted".
@discardableResult
package func lasting<Value: Equatable>(
    _ what: String,
    readings count: Int = 5,
    every pause: Duration = .milliseconds(100),
    sourceLocation: SourceLocation = #_sourceLocation,
    seeing look: () async throws -> Value,
    where fits: (Value) -> Bool = { _ in true }
) async throws -> Value {
    let seen = SeenValues()
    return try await waiting(for: what, seen: { "" }, sourceLocation: sourceLocation) {
        endTest("no \(what) lasted; seen: \(seen.description)", $1)
    } _: {
        var (last, readings): (Value?, Int) = (nil, 0)
        while true {
            let value = try await look()
            if value != last { seen.note("\(value)") }
            readings = !fits(value) ? 0 : value == last ? readings + 1 : 1
            if readings >= count { return value }
            last = value
            try await Task.sleep(for: pause)
        }
    }
}

/// What a wait has seen: the last value, and how many there were.
package final class SeenValues: Sendable {
    private let state = Mutex((last: "nothing", count: 0))

    package init() {}

    package func note(_ value: String) { state.withLock { $0 = (value, $0.count + 1) } }

    package var description: String {
        state.withLock { $0.count > 1 ? "\($0.last), the last of \($0.count) values" : $0.last }
    }
}
