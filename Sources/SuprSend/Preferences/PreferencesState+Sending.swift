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
    package var nextDeadline: Duration? { waitingKeys.compactMap { next(for: $0)?.due }.min() }

    /// The keys of all changes, the oldest change first.
    private var waitingKeys: [Key] {
        var seen: Set<Key> = []
        return changes.map(\.key).filter { seen.insert($0).inserted }
    }

    /// The changes of a key for its next request: its toggles up to a change of another kind, or one of those. Nil
    /// while a request of the key is in flight.
    private func next(for key: Key) -> (changes: ArraySlice<Change>, due: Duration)? {
        let all = changes.filter { $0.key == key }
        guard let first = all.first, !first.isUnderWay else { return nil }
        guard first.edit.isToggle else { return (all.prefix(1), first.time) }
        let toggles = all.prefix { $0.edit.isToggle }
        // The change after them is due at once, so they do not wait for more.
        if toggles.count < all.count { return (toggles, toggles.last!.time) }
        return (toggles, toggles.last!.time + Self.debounce)
    }

    /// Begins a request that is due. With `numbers`: one with any of these changes, due or not.
    package mutating func begin(now: Duration, among numbers: Set<UInt64>? = nil) -> Request? {
        for key in waitingKeys {
            guard let (batch, due) = next(for: key), let last = batch.last else { continue }
            let chosen = Set(batch.map(\.number))
            guard numbers.map({ !$0.isDisjoint(with: chosen) }) ?? (due <= now) else { continue }
            for index in changes.indices where chosen.contains(changes[index].number) {
                changes[index].isUnderWay = true
            }
            return Request(key: key, changes: chosen, args: last.args, operation: operation(batch, last))
        }
        return nil
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
        let batch = changes.filter { request.changes.contains($0.number) }
        guard let last = batch.last else { return request }
        var request = request
        request.operation = operation(batch[...], last, on: category)
        return request
    }

    /// The request in the form of the latest change, of the category as the service knows it with these changes.
    private func operation(
        _ batch: ArraySlice<Change>,
        _ last: Change,
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
    package mutating func putBack(_ request: Request) {
        for index in changes.indices where request.changes.contains(changes[index].number) {
            changes[index].isUnderWay = false
        }
    }

    /// The service may have performed the failed request: until that is known, equal values do not prevent sending a
    /// change.
    package mutating func doubt(_ request: Request) { unverified[request.key] = nextNumber() }

    /// The effect of a response.
    package enum Outcome: Sendable, Equatable {
        case confirmed
        /// Confirmed, but other preferences may have changed with it: load again.
        case confirmedInPart
        case failed
        /// The changes were discarded meanwhile.
        case forgotten
    }

    /// The response to a request; nil: it failed.
    package mutating func finish(_ request: Request, _ answer: PreferenceConfirmation?) -> Outcome {
        let done = changes.filter { request.changes.contains($0.number) }
        guard !done.isEmpty else { return .forgotten }
        changes.removeAll { request.changes.contains($0.number) }
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
