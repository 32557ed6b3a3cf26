import Basics

/// A call whose reply is awaited.
struct WaitingCall {
    let serial: UInt32
    let continuation: CheckedContinuation<Result<Message, DBusError>, Never>
    /// On the connection's clock; nil if `run()` is not running, then the caller keeps the deadline.
    let deadline: Duration?
}

extension Bus {
    /// Sends a method call and returns the reply.
    ///
    /// If the task is cancelled, a late reply is ignored. The timeout is measured on the connection's clock.
    /// - Throws: The error that was the reply; `Timeout`, `Disconnected`, or ``Name/cancelled``.
    @discardableResult
    public func call(_ message: Message, timeout: Duration = Bus.defaultTimeout) async throws(DBusError) -> Message {
        if Task.isCancelled { throw .cancelled }
        var message = message
        message.noReplyExpected = false
        // At most 30 years, so that adding it to the current time cannot overflow.
        let timeout = min(max(timeout, .zero), .seconds(1_000_000_000))
        let id = nextID()
        if isRunning { return try await reply(to: message, id, deadline: elapsed() + timeout).get() }
        // Without `run()` this call needs a timer of its own.
        let result = await withTaskGroup(of: Void.self) { [clock] group in
            group.addTask {
                guard (try? await clock.sleep(for: timeout)) != nil else { return }
                await self.fail(id, .timedOut)
            }
            let result = await reply(to: message, id, deadline: nil)
            group.cancelAll()
            return result
        }
        return try result.get()
    }

    /// Sends and registers in one turn, so that no reply can arrive in between.
    private func reply(to message: Message, _ id: Router.CallID, deadline: Duration?) async -> Result<
        Message, DBusError
    > {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                do throws(DBusError) {
                    let serial = try send(message)
                    router.called(serial, id)
                    waiting[id] = WaitingCall(serial: serial, continuation: continuation, deadline: deadline)
                    if let deadline { wake(by: deadline) }
                } catch {
                    continuation.resume(returning: .failure(error))
                }
            }
        } onCancel: {
            // Enqueued, so that it runs after the turn that registers.
            loop.execute { self.assumeIsolated { $0.fail(id, .cancelled) } }
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
        let call = Message.methodCall(.bus, BusInterface.path, BusInterface.name, method.name)
        let reply = try await self.call(call.with(try method.input.encode((repeat each arguments))))
        return try method.output.decode(reply.body)
    }
}

extension DBusError {
    static var timedOut: DBusError { DBusError(.timeout, "The reply did not arrive in time.") }
}
