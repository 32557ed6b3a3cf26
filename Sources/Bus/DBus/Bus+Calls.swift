import Basics

/// The reply to a call, or why there is none.
typealias Reply = Result<Message, DBusError>

/// A call whose reply is awaited.
struct WaitingCall {
    let serial: UInt32
    let continuation: CheckedContinuation<Reply, Never>
    /// On the connection's clock; nil: there is none, or `run()` is not running and the caller keeps it.
    let deadline: Duration?
}

extension Bus {
    /// Sends a method call and returns the reply.
    ///
    /// If the task is cancelled, a late reply is ignored. The timeout is measured on the connection's clock; nil: none.
    /// - Throws: The error that was the reply; `Timeout`, `Disconnected`, or ``Name/cancelled``.
    @discardableResult
    public func call(_ message: Message, timeout: Duration? = Bus.defaultTimeout) async throws(DBusError) -> Message {
        try await reply(to: message, timeout: timeout).get()
    }

    /// As ``call(_:timeout:)``, with the error as a result.
    func reply(to message: Message, timeout: Duration? = Bus.defaultTimeout) async -> Reply {
        if Task.isCancelled { return .failure(.cancelled) }
        let id = nextID()
        guard let timeout else { return await reply(to: message, id, deadline: nil) }
        // At most 30 years, so that adding it to the current time cannot overflow.
        let limit = min(max(timeout, .zero), .seconds(1_000_000_000))
        if isRunning { return await reply(to: message, id, deadline: elapsed() + limit) }
        return await reply(to: message, id, within: limit)
    }

    /// Without `run()` a call needs a timer of its own.
    private func reply(to message: Message, _ id: Router.CallID, within timeout: Duration) async -> Reply {
        await withTaskGroup(of: Void.self) { [clock] group in
            group.addTask {
                guard (try? await clock.sleep(for: timeout)) != nil else { return }
                await self.fail(id, .timedOut)
            }
            let reply = await reply(to: message, id, deadline: nil)
            group.cancelAll()
            return reply
        }
    }

    /// Sends and registers in one turn, so that no reply can arrive in between.
    private func reply(to message: Message, _ id: Router.CallID, deadline: Duration?) async -> Reply {
        await withTaskCancellationHandler {
            await withCheckedContinuation { send(message, id, deadline, $0) }
        } onCancel: {
            // Enqueued, so that it runs after the turn that registers.
            loop.execute { self.assumeIsolated { $0.fail(id, .cancelled) } }
        }
    }

    // Not inlined, so that these functions do not enlarge the frames that the tasks keep.

    @inline(never)
    private func send(
        _ message: Message,
        _ id: Router.CallID,
        _ deadline: Duration?,
        _ continuation: CheckedContinuation<Reply, Never>
    ) {
        do throws(DBusError) {
            var message = message
            message.noReplyExpected = false
            let serial = try send(message)
            router.called(serial, id)
            waiting[id] = WaitingCall(serial: serial, continuation: continuation, deadline: deadline)
            if let deadline { wake(by: deadline) }
        } catch {
            continuation.resume(returning: .failure(error))
        }
    }

    private func fail(_ id: Router.CallID, _ error: DBusError) {
        guard let call = waiting.removeValue(forKey: id) else { return }
        router.discard(call.serial)
        call.continuation.resume(returning: .failure(error))
    }

    // One sleep serves all calls: the runtime keeps a cancelled sleep until its deadline, so one sleep per call would
    // accumulate.

    private func wake(by deadline: Duration) {
        if let sleepingUntil, sleepingUntil <= deadline { return }
        sleepingUntil = deadline
        jobs.send(.sleep(until: deadline))
    }

    func sleep(until deadline: Duration) async {
        guard (try? await clock.sleep(for: max(.zero, deadline - elapsed()))) != nil else { return }
        let now = elapsed()
        for (id, call) in waiting where call.deadline.map({ $0 <= now }) == true { fail(id, .timedOut) }
        // A sleep for an earlier deadline has superseded this one and does the rest.
        guard sleepingUntil == deadline else { return }
        sleepingUntil = nil
        if let next = waiting.values.compactMap(\.deadline).min() { wake(by: next) }
    }

    /// Calls a method of the bus itself.
    func busCall<each I, O>(
        _ method: InterfaceMethod<BusInterface, (repeat each I), O>,
        _ arguments: repeat each I
    ) async throws(DBusError) -> O {
        let call = try method.call(.bus, BusInterface.path, (repeat each arguments))
        return try method.result(await reply(to: call))
    }
}

extension InterfaceMethod {
    /// The message that calls the method.
    @inline(never)
    func call(
        _ destination: BusName,
        _ path: ObjectPath,
        _ arguments: Input,
        autoStart: Bool = true
    ) throws(DBusError) -> Message {
        let message = Message.methodCall(destination, path, Owner.name, name, autoStart: autoStart)
        return message.with(try input.encode(arguments))
    }

    /// The result that a reply contains.
    @inline(never)
    func result(_ reply: Reply) throws(DBusError) -> Output { try output.decode(try reply.get().body) }
}

extension DBusError {
    static var timedOut: DBusError { DBusError(.timeout, "The reply did not arrive in time.") }
}
