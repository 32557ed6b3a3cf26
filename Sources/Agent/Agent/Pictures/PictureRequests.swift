import Inbox

/// Which pictures are loaded when: a few at once, each once, and none that failed a short time ago.
struct PictureRequests: Sendable {
    enum Effect: Equatable, Sendable {
        /// Load it; report its end with ``PictureRequests/finish(_:_:now:)``.
        case load(PictureURL)
        /// Loading has ended. nil: there is no picture.
        case report(PictureURL, file: String?)
    }

    /// The maximum number of pictures that are loaded at once.
    static let concurrent = 2
    /// The maximum number that wait; further ones are not loaded.
    static let waitingLimit = 32
    /// The time until something that failed is tried again.
    static let retryInterval = Duration.seconds(600)
    /// The maximum number of failures that are remembered.
    static let failureLimit = 500

    private enum Key: Hashable, Sendable {
        case picture(String)
        case host(String)
        case everything
    }

    private var loading: Set<PictureURL> = []
    /// Oldest first.
    private var waiting: [PictureURL] = []
    /// When each may be tried again.
    private var failures: [Key: ContinuousClock.Instant] = [:]

    /// Handles a request.
    mutating func request(_ url: PictureURL, now: ContinuousClock.Instant) -> [Effect] {
        // The end is reported to all.
        if loading.contains(url) || waiting.contains(url) { return [] }
        let keys = [Key.picture(url.text), .host(url.host), .everything]
        let hasFailed = keys.contains { failures[$0].map { now < $0 } ?? false }
        guard !hasFailed, waiting.count < Self.waitingLimit else { return [.report(url, file: nil)] }
        waiting.append(url)
        return start()
    }

    /// Handles the end of loading.
    mutating func finish(
        _ url: PictureURL,
        _ result: Result<String, PictureFailure>,
        now: ContinuousClock.Instant
    ) -> [Effect] {
        loading.remove(url)
        switch result {
        case .success(let file): return [.report(url, file: file)] + start()
        case .failure(let failure):
            remember(failure.scope, of: url, now: now)
            return [.report(url, file: nil)] + start()
        }
    }

    private mutating func start() -> [Effect] {
        let started = waiting.prefix(Self.concurrent - loading.count)
        waiting.removeFirst(started.count)
        loading.formUnion(started)
        return started.map { .load($0) }
    }

    private mutating func remember(_ scope: PictureFailure.Scope, of url: PictureURL, now: ContinuousClock.Instant) {
        failures = failures.filter { now < $0.value }
        if failures.count >= Self.failureLimit, let oldest = failures.min(by: { $0.value < $1.value })?.key {
            failures[oldest] = nil
        }
        let key: Key =
            switch scope {
            case .picture: .picture(url.text)
            case .host: .host(url.host)
            case .everything: .everything
            }
        failures[key] = now + Self.retryInterval
    }
}
