/// When changes are sent, and the effect of responses.
extension PreferencesState {
    /// A request for changes of one key.
    package struct Request: Sendable {
        let key: Key
        /// The numbers of its changes.
        package let changes: Set<UInt64>
        package let args: PreferenceArgs
        package internal(set) var operation: PreferenceCall.Operation
        package var target: PreferenceTarget { key.target }
    }

    /// The time of the next request; nil: no change waits, or all wait for a response.
    package var nextDeadline: Duration? { queue.nextDeadline }

    /// Begins a request that is due. With `numbers`: one with any of these changes, due or not.
    package mutating func begin(now: Duration, among numbers: Set<UInt64>? = nil) -> Request? {
        guard let batch = queue.begin(now: now, among: numbers), let last = batch.last else { return nil }
        let changes = Set(batch.map(\.number))
        return Request(key: last.key, changes: changes, args: last.args, operation: operation(batch, last))
    }

    /// The category of which the request names the channels that are opted out, if those were not loaded. Without them,
    /// the service would opt in to them.
    package func lacksChannels(_ request: Request) -> String? {
        guard case .patchCategory(let slug, _, let body) = request.operation, body["opt_out_channels"] != nil,
            confirmed[request.key.tenant]?.args.showsOptOutChannels == false
        else { return nil }
        return slug
    }

    /// The request for a category that is known with all its channels.
    package func completed(_ request: Request, by category: PreferenceCategory) -> Request {
        let batch = queue.changes(request.changes)
        guard let last = batch.last else { return request }
        var request = request
        request.operation = operation(batch, last, on: category)
        return request
    }

    /// The request in the form of the latest change, of the category as the service knows it with these changes.
    private func operation(
        _ batch: [PreferenceQueue.Change],
        _ last: PreferenceQueue.Change,
        on known: PreferenceCategory? = nil
    ) -> PreferenceCall.Operation {
        guard case .category(let slug) = last.key.target else {
            return .patchChannels(body: last.edit.body(nil, showsOptOutChannels: true))
        }
        var category = known ?? confirmed[last.key.tenant]?.data.category(slug) ?? last.category
        // Opting in again is not meant to opt in to channels, too.
        let isOptedIn = category?.preference == .optIn
        if category != nil { for change in batch { change.edit.apply(to: &category!) } }
        let body = last.edit.body(
            category,
            showsOptOutChannels: last.args.showsOptOutChannels,
            includesChannels: isOptedIn || batch.contains { if case .channel = $0.edit { true } else { false } }
        )
        return .patchCategory(slug, last.args, body: body)
    }

    /// The request was cancelled before its response: it will be sent again.
    package mutating func requeue(_ request: Request) {
        queue.requeue(request.changes)
    }

    /// The service may have performed the failed request: until that is known, equal values do not prevent sending a
    /// change.
    package mutating func markUnverified(_ request: Request) { unverified[request.key] = nextNumber() }

    /// The effect of a response.
    package enum Outcome: Sendable, Equatable {
        case confirmed
        /// Confirmed, but other preferences may have changed with it: load again.
        case confirmedInPart
        case failed
        /// The changes were discarded meanwhile.
        case discarded
    }

    /// The response to a request; nil: it failed.
    package mutating func finish(_ request: Request, _ answer: PreferenceConfirmation?) -> Outcome {
        let done = queue.remove(request.changes)
        guard !done.isEmpty else { return .discarded }
        guard let answer else { return .failed }
        let name = request.key.tenant
        let number = nextNumber()
        guard var known = confirmed[name] else { return .confirmed }
        defer {
            confirmed[name] = known
            prune()
        }
        known.confirmations[request.target] = number
        unverified[request.key] = nil
        switch request.target {
        case .category(let slug):
            guard let category = known.data.category(slug) else { return .confirmed }
            if let new = answer.category(updating: category) {
                known.data.update(slug) { $0 = new }
                return .confirmed
            }
        case .channel(let channel):
            // Only this channel's row: the others may be older than their own responses.
            if let row = answer.channels?.first(where: { $0.channel == channel }) {
                known.data.updateChannel(channel) { $0 = row }
                return .confirmedInPart
            }
        }
        // The service accepted it, but the response does not contain the result.
        for change in done { change.edit.apply(to: &known.data) }
        return .confirmedInPart
    }
}
