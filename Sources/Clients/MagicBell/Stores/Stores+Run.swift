import Basics
import ClientKit
import Logging

/// Keeping the stores up to date.
extension Stores {
    /// Follows `source` until the task is cancelled, or the user is disconnected. Returns false at once if another call
    /// does so already.
    ///
    /// - Parameters:
    ///   - willRun: Is called unless another call runs.
    ///   - report: Gets every update after the stores.
    func run(
        _ source: any RealtimeSource,
        willRun: () -> Void,
        report: @escaping @Sendable (RealtimeUpdate) -> Void
    ) async -> Bool {
        let jobs = Mailbox<StoresState.Effect>()
        let isFirst = locked { shared in
            guard shared.jobs == nil, shared.end == nil else { return false }
            shared.jobs = jobs
            shared.state.start()
            shared.flush()
            return true
        }
        guard isFirst else { return false }
        willRun()
        await withDiscardingTaskGroup { group in
            group.addTask {
                await source.run { update in
                    self.receive(update)
                    report(update)
                }
            }
            group.addTask { await self.keepSaved() }
            for await effect in jobs.messages {
                group.addTask { await self.perform(effect) }
            }
            group.cancelAll()
        }
        locked { shared in
            shared.state.stop()
            shared.jobs = nil
            shared.waiters.wakeAll()
            shared.flush()
        }
        await save()
        return true
    }

    /// Ends the wait before the next attempt to load.
    func retryNow() {
        locked { shared in
            shared.state.retryNow()
            shared.flush()
        }
    }

    private func receive(_ update: RealtimeUpdate) {
        let now = now
        locked { shared in
            switch update {
            case .connected(let isContinuous): shared.state.connected(isContinuous: isContinuous)
            case .event(let event): shared.state.receive(event, now: now)
            case .connecting, .lost: break
            }
            shared.flush()
        }
    }

    private func perform(_ effect: StoresState.Effect) async {
        switch effect {
        case .load(let load):
            if case .failed(let error) = await outcome(of: load) { log(error, "list not loaded") }
        case .count(let load):
            let answer: Result<StoreCounts, MagicBellError>
            do throws(MagicBellError) {
                answer = .success(try await api.counts(of: load.predicate))
            } catch {
                answer = .failure(error)
            }
            if case .failure(let error) = answer { log(error, "counts not loaded") }
            let jitter = environment.jitter()
            locked { shared in
                shared.state.finish(load, answer, jitter: jitter)
                shared.flush()
            }
        case .item(let request):
            let answer: Result<InboxNotification, MagicBellError>
            do throws(MagicBellError) {
                answer = .success(try await api.notification(request.id))
            } catch {
                answer = .failure(error)
            }
            if case .failure(let error) = answer { log(error, "notification not loaded") }
            locked { shared in
                shared.state.finishItem(request, answer)
                shared.flush()
            }
        case .startTimer(let timer, let delay):
            guard (try? await environment.clock.sleep(for: delay)) != nil else { return }
            locked { shared in
                shared.state.timerFired(timer)
                shared.flush()
            }
        }
    }

    private func log(_ error: MagicBellError, _ message: Logger.Message) {
        if error.kind != .cancelled { logger.warning(message, metadata: ["error": "\(error)"]) }
    }
}
