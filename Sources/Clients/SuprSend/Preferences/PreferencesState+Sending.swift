import Basics

/// When changes are sent, and the effect of responses.
extension PreferencesState {
    /// A request for changes of one key.
    package struct Request: Sendable {
        let key: Key
        /// The numbers of its changes.
        package let changes: Set<Int64>
        package let args: PreferenceArgs
        package internal(set) var operation: PreferenceCall.Operation
        package var target: PreferenceTarget { key.target }
    }

    /// The time of the next request; nil: no change waits, or all wait for a response.
    package var nextDeadline: Duration? { queue.nextDeadline }

    /// Begins a request that is due. With `numbers`: one with any of these changes, due or not.
    package mutating func begin(now: Duration, among numbers: Set<Int64>? = nil) -> Request? {
        guard let batch = queue.begin(now: now, among: numbers), let last = batch.last?.change else { return nil }
        return Request(
            key: last.key,
            changes: Set(batch.map(\.number)),
            args: last.args,
            operation: operation(batch.map(\.change.edit), last)
        )
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
        let batch = queue.entries(request.changes).map(\.change)
        guard let last = batch.last else { return request }
        var request = request
        request.operation = operation(batch.map(\.edit), last, on: category)
        return request
    }

    /// The request for changes of one key, with the parameters of the last one.
    private func operation(
        _ edits: [PreferenceEdit],
        _ last: QueuedEdit,
        on known: PreferenceCategory? = nil
    ) -> PreferenceCall.Operation {
        switch last.edit {
        case .level(let channel, let level): return .patchChannels(body: level.body(ofChannel: channel))
        case .category(let slug, _), .channel(_, _, let slug), .digest(_, let slug), .properties(_, let slug):
            let category = known ?? confirmed[last.key.tenant]?.answer.contents.category(slug) ?? last.category
            let body = PreferenceEdit.body(of: edits, on: category, showsOptOutChannels: last.args.showsOptOutChannels)
            return .patchCategory(slug, last.args, body: body)
        }
    }

    /// The request was cancelled before its response: it will be sent again.
    package mutating func requeue(_ request: Request) {
        queue.markAnswered(request.changes)
    }

    /// The service may have performed the failed request: until that is known, equal values do not prevent sending a
    /// change.
    package mutating func markUnverified(_ request: Request) { unverified[request.key] = numbers.next() }

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
        let done = queue.entries(request.changes)
        guard !done.isEmpty else { return .discarded }
        queue.remove(done)
        guard let answer else { return .failed }
        guard confirmed[request.key.tenant] != nil else { return .confirmed }
        unverified[request.key] = nil
        var outcome = Outcome.confirmed
        confirmed[request.key.tenant]?.answer.confirm(request.target, numbers.next()) { data in
            switch request.target {
            case .category(let slug):
                guard let category = data.category(slug) else { return }
                if let new = answer.category(updating: category) { return data.update(slug) { $0 = new } }
            case .channel(let channel):
                // Only this channel's row: the others may be older than their own responses.
                if let row = answer.channels?.first(where: { $0.channel == channel }) {
                    outcome = .confirmedInPart
                    return data.updateChannel(channel) { $0 = row }
                }
            }
            // The service accepted it, but the response does not contain the result.
            outcome = .confirmedInPart
            for change in done { change.change.edit.apply(to: &data) }
        }
        prune()
        return outcome
    }
}
