import Basics
import ClientKit
import Logging

/// Requests of pages.
extension Stores {
    /// How many pages without a new notification are requested in a row.
    private static let maximumRepeatedPages = 5

    private enum Turn: Sendable {
        case request(PageLoad)
        /// A list request of the store is in flight.
        case wait(Completion, for: PageLoad)
        case complete
    }

    /// Loads the next page, or the first one. Returns its notifications.
    ///
    /// - Parameter size: The page size; nil: the client's.
    func fetch(_ number: StoreNumber, size: Int? = nil) async throws(MagicBellError) -> [InboxNotification] {
        var pages = 0
        while true {
            let isFetched = locked { $0.state.stores[number]?.isFetched ?? true }
            switch try turn(number, { $0.beginFetch(number, size: size) }) {
            case .complete: return []
            case .wait(let wait, let load):
                let isShared = load.kind == .next || !isFetched
                if let rows = try await result(of: load, wait, isShared: isShared) { return rows }
            case .request(let load):
                guard let rows = try await rows(of: load) else { continue }
                // Pages move when notifications come and go: one may contain nothing new.
                pages += 1
                let isComplete = locked { $0.state.stores[number]?.extent == .complete }
                if !rows.isEmpty || isComplete || pages == Self.maximumRepeatedPages { return rows }
            }
        }
    }

    /// Loads the first page again. Returns its notifications.
    func refresh(_ number: StoreNumber, size: Int? = nil) async throws(MagicBellError) -> [InboxNotification] {
        let start = locked { $0.state.nextNumber() }
        while true {
            switch try turn(number, { $0.beginRefresh(number, size: size) }) {
            case .complete: return []
            case .wait(let wait, let load):
                let isShared = load.kind == .first && load.number > start
                if let rows = try await result(of: load, wait, isShared: isShared) { return rows }
            case .request(let load):
                if let rows = try await rows(of: load) { return rows }
            }
        }
    }

    private func turn(
        _ number: StoreNumber,
        _ begin: (inout StoresState) -> PageLoad?
    ) throws(MagicBellError) -> Turn {
        if Task.isCancelled { throw .cancelled }
        return try change { (shared) throws(MagicBellError) in
            try Self.check(number, in: shared)
            if let load = shared.state.stores[number]?.load { return .wait(shared.waiters.add(), for: load) }
            return begin(&shared.state).map(Turn.request) ?? .complete
        }
    }

    /// Waits for the request of another call. Returns nil when it has no result for this call, which then goes on.
    private func result(
        of load: PageLoad,
        _ wait: Completion,
        isShared: Bool
    ) async throws(MagicBellError) -> [InboxNotification]? {
        await wait.wait()
        if Task.isCancelled { throw .cancelled }
        guard isShared, let last = locked({ $0.state.stores[load.store]?.lastLoad }), last.number == load.number
        else { return nil }
        switch last.result {
        case .success(let rows): return rows
        case .failure(let error):
            // The other call was cancelled, not this one.
            if error.kind == .cancelled { return nil }
            throw error
        }
    }

    /// Sends a list request. Returns its rows; nil: it has to be begun again.
    private func rows(of load: PageLoad) async throws(MagicBellError) -> [InboxNotification]? {
        let outcome = await outcome(of: load)
        await saveUnlessRunning()
        switch outcome {
        case .loaded(let rows): return rows
        case .outdated: return nil
        case .failed(let error): throw error
        case .discarded:
            try change { (shared) throws(MagicBellError) in try Self.check(load.store, in: shared) }
            return nil
        }
    }

    func outcome(of load: PageLoad) async -> LoadOutcome {
        let answer: Result<StorePage, MagicBellError>
        do throws(MagicBellError) {
            let api = api
            let page = try await scope.run { () throws(MagicBellError) in
                try await api.page(of: load.predicate, after: load.cursor, size: load.size)
            }
            answer = .success(page)
        } catch {
            answer = .failure(error)
        }
        let jitter = environment.jitter()
        return locked { shared in
            let outcome = shared.state.finish(load, answer, jitter: jitter)
            shared.waiters.wakeAll()
            shared.flush()
            return outcome
        }
    }
}
