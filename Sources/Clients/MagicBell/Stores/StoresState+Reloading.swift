import ClientKit

/// Keeping the stores up to date: what they need is requested when a timer fires.
extension StoresState {
    /// The greatest number of rows that one request loads.
    private static let largestPage = 100

    /// The realtime feed runs from now on.
    mutating func start() {
        reloads.phase = .idle
        reloads.repetitions = 0
        scheduleReload()
    }

    /// The realtime feed ended. Data whose requests were in flight for it is needed again.
    mutating func stop() {
        reloads.phase = .stopped
        reloads.failure = nil
        abandonItems()
        echoes = Echoes()
        echoesOfAll = [:]
        for (number, store) in stores {
            if let load = store.load, !load.isRequested { end(load, .discarded) }
            if store.countLoad != nil {
                change(number) { store in
                    store.countLoad = nil
                    store.require(.counts)
                }
            }
        }
        trimJournal()
    }

    /// Starts the timer if a store needs something, after the answers to the requests in flight.
    mutating func scheduleReload(after delay: Duration? = nil) {
        guard reloads.phase == .idle, !stores.values.contains(where: \.isReloading),
            stores.values.contains(where: { $0.need != .nothing && $0.load == nil })
        else { return }
        let number = nextNumber()
        reloads.phase = .waiting(number)
        add(.startTimer(.reload(number), after: delay ?? reloads.window))
    }

    /// A timer fired.
    mutating func timerFired(_ timer: StoreTimer) {
        switch timer {
        case .reload(let number):
            if reloads.phase == .waiting(number) { reloadNow() }
        case .settled(let store, let number):
            guard items.isEmpty, actions.isEmpty else {
                // The store may contain changes whose events have come, and are not applied yet.
                if stores[store] != nil, reloads.phase != .stopped { add(.startTimer(timer, after: Self.settlingTime)) }
                break
            }
            change(store) { $0.settled(number) }
            scheduleReload()
        case .item(let request): repeatItem(request)
        }
    }

    /// Ends the wait before the next attempt.
    mutating func retryNow() {
        if case .waiting = reloads.phase { reloadNow() }
    }

    private mutating func reloadNow() {
        reloads.phase = .idle
        for (number, store) in stores.sorted(by: { $0.key < $1.key }) where store.load == nil {
            switch store.need {
            case .nothing: break
            case .list:
                let size = max(pageSize, min(store.rows.count, Self.largestPage))
                if let load = begin(.first, cursor: nil, size: size, purpose: .update, of: number) {
                    add(.load(load))
                }
            case .counts:
                guard store.countLoad == nil else { break }
                let load = CountLoad(
                    store: number,
                    number: nextNumber(),
                    predicate: store.predicate,
                    version: store.version
                )
                change(number) { store in
                    store.clearNeed()
                    store.countLoad = load
                }
                add(.count(load))
            }
        }
    }

    /// The answer to a request of counts arrived.
    mutating func finish(_ load: CountLoad, _ answer: Result<StoreCounts, MagicBellError>, jitter: Double) {
        guard stores[load.store]?.countLoad?.number == load.number else { return }
        change(load.store) { store in
            store.countLoad = nil
            switch answer {
            case .success(let counts): store.apply(counts, of: load)
            case .failure: store.require(.counts)
            }
        }
        switch answer {
        case .success:
            settle(load.store, .counts)
            scheduleNext(after: .loaded([]), jitter: jitter)
        case .failure(let error): scheduleNext(after: .failed(error), jitter: jitter)
        }
    }

    /// An answer is later than the rows of a store, which is to request `need` if its events show that.
    mutating func settle(_ number: StoreNumber, _ need: StoreState.Need) {
        guard reloads.phase != .stopped, let store = stores[number] else { return }
        let timer = nextNumber()
        change(number) { $0.settle(timer, need) }
        let delay = Self.settlingTime * (1 << min(store.recounts, 10))
        add(.startTimer(.settled(number, timer), after: min(delay, Self.longestSettlingTime)))
    }

    mutating func scheduleNext(after outcome: LoadOutcome, jitter: Double) {
        if case .failed(let error) = outcome { reloads.failure = error }
        guard reloads.phase == .idle, !stores.values.contains(where: \.isReloading) else { return }
        if let error = reloads.failure {
            reloads.failure = nil
            return scheduleReload(after: reloads.policy.delay(after: error, jitter: jitter))
        }
        reloads.policy.startOver()
        if stores.values.contains(where: { $0.need != .nothing }) {
            reloads.repetitions += 1
            scheduleReload()
        } else {
            reloads.repetitions = 0
        }
    }
}
