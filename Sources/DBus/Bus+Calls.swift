import Dispatch

/// A call whose reply is awaited.
struct WaitingCall {
    let serial: UInt32
    let continuation: CheckedContinuation<Result<Message, DBusError>, Never>
    /// On the bus's clock, if `run()` looks after it; otherwise the caller does.
    let deadline: Duration?
}

extension Bus {
    /// Sends a method call and returns the reply.
    ///
    /// Cancelling the task forgets the call; a late reply is dropped. The deadline is kept on the connection's clock.
    /// - Throws: the error that was the reply; `Timeout`, `Disconnected`, or ``Name/cancelled``.
    @discardableResult
    public func call(_ message: Message, timeout: Duration = Bus.defaultTimeout) async throws(DBusError) -> Message {
        if Task.isCancelled { throw .cancelled }
        var message = message
        message.noReplyExpected = false
        // Beyond thirty years is for ever, and still a number that can be added to.
        let timeout = min(max(timeout, .zero), .seconds(1_000_000_000))
        let id = nextID()
        if isRunning { return try await reply(to: message, id, deadline: elapsed() + timeout).get() }
        // Nobody else keeps time for this call.
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

    /// Sends and registers in one turn, so that no reply can come in between.
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
            // Behind the turn that registers, whenever the cancellation comes.
            executor.queue.async { self.assumeIsolated { $0.fail(id, .cancelled) } }
        }
    }

    private func fail(_ id: Router.CallID, _ error: DBusError) {
        guard let call = waiting.removeValue(forKey: id) else { return }
        router.forget(call.serial)
        call.continuation.resume(returning: .failure(error))
    }

    // One sleeper serves all calls: the runtime keeps a cancelled sleep until its time has come, so a sleep per call would pile up.

    private func wake(by deadline: Duration) {
        if let sleepingUntil, sleepingUntil <= deadline { return }
        sleepingUntil = deadline
        works.yield(.sleep(until: deadline))
    }

    func sleep(until deadline: Duration) async {
        guard (try? await clock.sleep(for: max(.zero, deadline - elapsed()))) != nil else { return }
        let now = elapsed()
        for (id, call) in waiting where call.deadline.map({ $0 <= now }) == true { fail(id, .timedOut) }
        // A sleeper that an earlier deadline has outnumbered leaves the rest to that one.
        guard sleepingUntil == deadline else { return }
        sleepingUntil = nil
        if let next = waiting.values.compactMap(\.deadline).min() { wake(by: next) }
    }

    /// A method of the bus itself.
    func busCall<each I, O>(
        _ method: InterfaceMethod<BusInterface, (repeat each I), O>,
        _ arguments: repeat each I
    ) async throws(DBusError) -> O {
        let body = method.input.encode((repeat each arguments))
        let reply = try await call(.methodCall(.bus, BusInterface.path, BusInterface.name, method.name, body))
        return try method.output.decode(reply.body)
    }
}

extension DBusError {
    static var timedOut: DBusError { DBusError(.timeout, "There was no answer in time.") }
}
