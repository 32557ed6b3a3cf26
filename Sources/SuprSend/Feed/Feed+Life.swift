import Basics
import ClientKit
import FoundationEssentials
import Logging
import SocketIO
import Transport

/// ``run()`` and its four loops.
extension Feed {
    enum Job: Sendable {
        case details(id: String, number: UInt64)
        case count(FeedState.Count)
        /// Waits for `joined_room` of a connection.
        case room(connection: UInt64)
    }

    /// Follows the inbox until the task is cancelled. Failures are shown in ``connectionState`` and retried
    /// indefinitely.
    ///
    /// When it returns, the connection is closed in an orderly way. Call it again to continue: it connects at once, and
    /// announces as caught up the notifications of the time between, each once. So before the computer sleeps, cancel
    /// it and wait until it has returned; call it again afterwards. Do the same after a change of the network, where a
    /// connection may be dead without an error.
    public func run() async {
        guard life == nil, !isRemoved, !service.context.isShutDown else {
            logger.error("the feed is already running, was removed, or its client was shut down")
            return
        }
        let (jobs, work) = AsyncStream<Job>.makeStream()
        let (end, life) = AsyncStream<Never>.makeStream()
        self.work = work
        self.life = life
        noticedStaleness = state.staleSince
        await withDiscardingTaskGroup { group in
            group.addTask { await self.stayConnected() }
            group.addTask { await self.stayLoaded() }
            group.addTask { await self.keepTime() }
            group.addTask { await self.work(on: jobs) }
            await tell([])
            for await _ in end {}
            group.cancelAll()
        }
        self.work = nil
        self.life = nil
        // After a sleep, or on another network, the connections may be dead without an error.
        service.context.http.retireConnections()
        state.suspend()
        status = ConnectionStatus()
        exitWaiters.wakeAll()
    }

    private func work(on jobs: AsyncStream<Job>) async {
        await withDiscardingTaskGroup { group in
            for await job in jobs {
                group.addTask { await self.perform(job) }
            }
        }
    }

    /// Ends the wait before the next attempt to connect and to load: after the network returned, after the computer
    /// woke up, or at the user's request.
    public func reconnect() async {
        if isWaitingToConnect { await retry.signal() }
        if isWaitingToLoad { await loading.signal() }
    }

    // MARK: The socket

    private func stayConnected() async {
        var reconnect = ReconnectPolicy(scale: environment.waitScale)
        var recovery: Recovery?
        var isTokenFresh = false
        while !Task.isCancelled {
            status.socket = .connecting
            joined = nil
            let (error, end) = await connect(&recovery)
            roomWait.left()
            if Task.isCancelled { return }
            logger.debug("realtime connection ended", metadata: ["reason": "\(error.message)"])
            if joined != nil {
                isTokenFresh = false
                // The cause may have broken the idle HTTP connections, too.
                service.context.http.retireConnections()
            }
            var cause = end
            // One attempt with another token; after that, only the user or the service can solve the problem.
            if end == .refused, !isTokenFresh, error.asksForNewToken, await hasAnotherToken() {
                isTokenFresh = true
                cause = .failed
            }
            let delay = reconnect.delay(
                after: cause,
                uptime: joined?(),
                retryAfter: error.retryAfter,
                jitter: environment.jitter()
            )
            if cause == end {
                status.socket = .lost(.init(error: error, nextAttempt: date(after: delay)))
            }
            isWaitingToConnect = true
            await retry.wait(atMost: delay, clock: environment.clock)
            isWaitingToConnect = false
            if cause == .refused { _ = await hasAnotherToken() }
        }
    }

    /// Runs one connection; returns why it ended.
    private func connect(_ recovery: inout Recovery?) async -> (SuprSendError, ReconnectPolicy.Cause) {
        do {
            try await driver.run(url: socketURL, credentials: { try await self.credentials() }, recovery: &recovery) {
                event in
                await self.receive(event)
            }
            return (.cancelled, .failed)
        } catch let failure as SessionFailure {
            return (SuprSendError(failure, secrets: offeredToken.map { [$0] } ?? []), cause(of: failure))
        } catch let error as SuprSendError {
            return (error, .failed)
        } catch {
            return (SuprSendError(.unreachable, "The realtime connection ended."), .failed)
        }
    }

    private func cause(of failure: SessionFailure) -> ReconnectPolicy.Cause {
        switch failure.kind {
        case .refused: .refused
        case _ where failure.isServersDecision: .announced
        case .closed, .disconnectedByServer, .lost, .silence, .protocolViolation: joined == nil ? .failed : .lost
        }
    }

    /// The payload of CONNECT, read when it is sent, so that it contains the latest token.
    private func credentials() async throws -> JSONValue {
        let token = try await service.tokens?.current()?.rawValue
        offeredToken = token
        return service.connectPayload(token: token)
    }

    private func hasAnotherToken() async -> Bool {
        (try? await service.tokens?.replacement(for: offeredToken)) != nil
    }

    private func receive(_ event: SessionDriver.Event) async {
        switch event {
        case .joined(let recovered):
            joined = environment.clock.stopwatch()
            status.socket = .joined(since: environment.now())
            if let connection = roomWait.joined(resumed: recovered) {
                work?.yield(.room(connection: connection))
            } else {
                await resynchronize(recovered: true)
            }
        case .received(let name, let arguments):
            if roomWait.receive(name) { await resynchronize(recovered: false) }
            guard let event = RealtimeEvent(name: name, arguments: arguments) else {
                logger.debug(
                    "realtime event ignored",
                    metadata: [
                        "event": "\(name.cut(to: Limits.loggedID))",
                        "id": "\(arguments.first?["n_id"]?.string?.cut(to: Limits.loggedID) ?? "")",
                    ]
                )
                return
            }
            await tell(state.receive(event, now: now))
        }
    }

    private func resynchronize(recovered: Bool) async {
        state.joined(recovered: recovered, now: now)
        if isWaitingToLoad { await loading.signal() }
        await tell([])
    }

    private func date(after delay: Duration) -> Date {
        environment.now().addingTimeInterval(delay / .seconds(1))
    }

    // MARK: The list

    /// Loads the list whenever it may be incomplete, until it succeeds.
    private func stayLoaded() async {
        var reconnect = ReconnectPolicy(scale: environment.waitScale)
        // Waits up to one second for the socket, so that one load serves both the start and the join; without the
        // socket the list is loaded as well.
        if joined == nil { await waitForJoin() }
        while !Task.isCancelled {
            guard state.isStale else {
                await loading.wait(clock: environment.clock)
                continue
            }
            do {
                try await loadAgain()
                reconnect.startOver()
                status.loading = nil
                await tell(state.finishSurveys())
                // Stale again: events arrive faster than rows can be loaded. Pause before the next load.
                if state.isStale { try? await environment.clock.sleep(for: .milliseconds(500)) }
            } catch {
                if Task.isCancelled { return }
                let isRefusal = error.kind == .unauthorized || error.kind == .forbidden
                let delay = reconnect.delay(
                    after: isRefusal ? .refused : .failed,
                    retryAfter: error.retryAfter,
                    jitter: environment.jitter()
                )
                status.loading = .init(error: error, nextAttempt: date(after: delay))
                // What became stale during the failure is loaded after the wait.
                await loading.clear()
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
            for scan in state.scans() { try await perform(scan) }
        } catch {
            state.becomeStale()
            throw error
        }
    }

    private func loadActiveStore() async throws(SuprSendError) {
        do {
            try await perform(state.beginRefresh(isQuiet: true), countNeeded: true)
        } catch {
            // The active store changed. Its own load brings list and counts; if that fails, the list is stale as
            // before.
            guard error.kind == .cancelled, !Task.isCancelled else { throw error }
        }
    }

    // MARK: Time

    /// Wakes the state at its next deadline. The wait is at most one hour, so that a change of the wall clock is
    /// noticed without ``SuprSendClient/wallClockChanged(by:)``.
    private func keepTime() async {
        while !Task.isCancelled {
            let delay = state.nextDeadline.map { min(max(now.duration(to: $0), .zero), .seconds(3600)) }
            await deadline.wait(atMost: delay, clock: environment.clock)
            await tell(state.wake(now: now))
        }
    }

    // MARK: Single rows and counts

    private func perform(_ job: Job) async {
        switch job {
        case .count(let count):
            let answer: Result<NotificationCounts, SuprSendError> = await service.result(of: count.call)
            await tell(state.finish(count, try? answer.get(), now: now))
        case .details(let id, let number):
            await loadDetails(id, number)
        case .room(let connection):
            try? await environment.clock.sleep(for: RoomWait.limit)
            if !Task.isCancelled, roomWait.timedOut(connection) { await resynchronize(recovered: false) }
        }
    }

    /// Loads a row. The service's REST side may lag behind its socket, so a failure is retried three times.
    private func loadDetails(_ id: String, _ number: UInt64) async {
        var delays: [Duration] = [.milliseconds(300), .seconds(1), .seconds(3)]
        while true {
            let answer: Result<FeedNotification, SuprSendError> = await service.result(of: FeedCall.details(id: id))
            if Task.isCancelled { return }
            if let row = try? answer.get(), row.id == id {
                return await tell(state.finishDetails(id, number, row, now: now))
            }
            guard !delays.isEmpty else {
                logger.warning("notification could not be loaded", metadata: ["id": "\(id)"])
                return await tell(state.finishDetails(id, number, nil, now: now))
            }
            await tell(state.retryDetails(id, number, now: now))
            try? await environment.clock.sleep(for: delays.removeFirst())
            if Task.isCancelled { return }
        }
    }
}

extension SuprSendError {
    /// The error of a realtime connection for the app.
    init(_ failure: SessionFailure, secrets: [String]) {
        let sentence = Redaction.tokens(in: failure.sentence, secrets: secrets)
        switch failure.kind {
        case .refused(let message, _):
            // The only known wording is "Authentication Error: wrong auth token".
            let message = message.lowercased()
            let isAboutToken = message.contains("auth") || message.contains("token")
            guard isAboutToken, secrets.isEmpty else {
                self.init(isAboutToken ? .unauthorized : .rejected, sentence)
                return
            }
            // The server's message mentions a token even if it received none.
            let about = "The realtime server refused the public key, which was sent without a token. "
            self.init(.unauthorized, about + sentence)
        case .lost(let error): self = SuprSendError(error)
        case .protocolViolation: self.init(.unexpectedAnswer, sentence)
        case .disconnectedByServer, .closed, .silence: self.init(.unreachable, sentence)
        }
    }
}
