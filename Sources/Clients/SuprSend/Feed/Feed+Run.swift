import Basics
import ClientKit
import FoundationEssentials
import Logging

/// ``run()`` and its loops.
extension Feed {
    /// Follows the inbox until the task is cancelled. Failures are shown in ``connectionState`` and retried
    /// indefinitely.
    ///
    /// When it returns, the connection is closed in an orderly way. Call it again to continue: it connects at once, and
    /// announces as caught up the notifications of the time between, each once. So before the computer sleeps, cancel
    /// it and wait until it has returned; call it again afterwards. Do the same after a change of the network, where a
    /// connection may be dead without an error.
    public func run() async {
        guard runEnd == nil, !isRemoved, !service.context.isShutDown else {
            logger.error("the feed is already running, was removed, or its client was shut down")
            return
        }
        let jobs = Mailbox<@Sendable () async -> Void>()
        let end = Completion()
        self.jobs = jobs
        runEnd = end
        signalledStaleness = state.staleSince
        await withDiscardingTaskGroup { group in
            group.addTask { await self.stayConnected() }
            group.addTask { await self.stayLoaded() }
            group.addTask { await self.keepTime() }
            group.addTask { await Self.run(jobs) }
            if storage != nil { group.addTask { await self.keepSaved() } }
            perform([])
            await end.wait()
            group.cancelAll()
        }
        self.jobs = nil
        runEnd = nil
        // After a sleep, or on another network, the connections may be dead without an error.
        service.context.http.retireConnections()
        state.suspend()
        status = FollowStatus()
        await save()
        exitWaiters.wakeAll()
    }

    /// Ends the wait before the next attempt to connect and to load: after the network returned, after the computer
    /// woke up, or at the user's request.
    public func reconnect() {
        connection.reconnect()
        if isWaitingToLoad { loading.signal() }
    }

    // MARK: The list

    /// Loads the list whenever it may be incomplete, until it succeeds.
    private func stayLoaded() async {
        var policy = ReconnectPolicy(scale: environment.waitScale)
        // Waits up to one second for the socket, so that one load serves both the start and the join; without the
        // socket the list is loaded as well.
        if !status.isJoined { await waitForJoin() }
        while !Task.isCancelled {
            guard state.isStale else {
                await loading.wait(clock: environment.clock)
                continue
            }
            do {
                try await loadAgain()
                policy.startOver()
                status.loading = nil
                perform(state.finishScans())
                await loadRest()
                // Stale again: events arrive faster than rows can be loaded. Pause before the next load.
                if state.isStale { try? await environment.clock.sleep(for: .milliseconds(500)) }
            } catch {
                if Task.isCancelled { return }
                let delay = policy.delay(after: error, jitter: environment.jitter())
                status.loading = .init(error: error, nextAttempt: environment.date(after: delay))
                // Data that became stale during the failure is loaded after the wait.
                loading.clear()
                isWaitingToLoad = true
                await loading.wait(atMost: delay, clock: environment.clock)
                isWaitingToLoad = false
            }
        }
    }

    private func waitForJoin() async {
        isWaitingToLoad = true
        await loading.wait(atMost: .seconds(1), clock: environment.clock)
        isWaitingToLoad = false
    }

    private func loadAgain() async throws(SuprSendError) {
        do {
            try await loadActiveStore()
            for scan in state.scans() { try await loadMissed(scan) }
        } catch {
            state.becomeStale()
            throw error
        }
    }

    /// Loads the rest of a first page that is short, because the link is slow. Without it, the list is as complete as
    /// it can be by now.
    private func loadRest() async {
        var count = -1
        while state.rows.count > count, let rest = state.beginRest() {
            count = state.rows.count
            do { try await loadPage(rest) } catch { return }
        }
    }

    private func loadActiveStore() async throws(SuprSendError) {
        do {
            try await loadPage(state.beginRefresh(isQuiet: true), countNeeded: true)
        } catch {
            // The active store changed. Its own load brings list and counts; if that fails, the list is stale as
            // before.
            guard error.kind == .cancelled, !Task.isCancelled else { throw error }
        }
    }

    // MARK: Time

    /// Wakes the state at its next deadline. The wait is at most one hour, so that a change of the wall clock takes
    /// effect without ``SuprSendClient/wallClockChanged(by:)``.
    private func keepTime() async {
        while !Task.isCancelled {
            let delay = state.nextDeadline.map { min(max(now.duration(to: $0), .zero), .seconds(3600)) }
            await deadline.wait(atMost: delay, clock: environment.clock)
            perform(state.wake(now: now))
        }
    }

    // MARK: Single rows and counts

    private static func run(_ jobs: Mailbox<@Sendable () async -> Void>) async {
        await withDiscardingTaskGroup { group in
            for await job in jobs.messages { group.addTask { await job() } }
        }
    }

    func load(_ count: FeedState.Count) async {
        let answer: Result<NotificationCounts, SuprSendError> = await service.result(of: count.call)
        perform(state.finish(count, try? answer.get(), now: now))
    }

    /// Loads a row.
    func loadDetails(_ request: FeedState.DetailRequest) async {
        var request = request
        while true {
            let answer: Result<FeedNotification, SuprSendError> = await service.result(
                of: FeedCall.details(id: request.id)
            )
            if Task.isCancelled { return }
            let failure: SuprSendError
            switch answer {
            case .success(let row) where row.id == request.id:
                return perform(state.finishDetails(request, row, now: now))
            case .success: failure = SuprSendError(.unexpectedAnswer, "The service returned another notification.")
            case .failure(let error): failure = error
            }
            let (delay, effects) = state.failDetails(request, failure, now: now)
            perform(effects)
            guard let delay else {
                let metadata: Logger.Metadata = ["id": "\(request.id)", "reason": "\(failure.message)"]
                return logger.warning("notification could not be loaded", metadata: metadata)
            }
            try? await environment.clock.sleep(for: delay)
            guard !Task.isCancelled, let next = state.beginDetailsAgain(request) else { return }
            request = next
        }
    }
}
