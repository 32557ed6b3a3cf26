import Basics

/// The state machine of preferences: the last response of the service, and the unconfirmed changes, which are applied
/// on top. No clock, no network: times are durations since a fixed moment.
///
/// So a response does not overwrite pending changes, and removing a failed change reverts it.
///
/// ```
/// load   ──────────────► confirmed ─┐
/// update ─► change ─────────────────┴─► shown
///              └─► request (1 s after the last toggle) ─► confirmed, or reverted
/// ```
package struct PreferencesState: Sendable {
    typealias Key = QueuedEdit.Key

    /// The confirmed preferences of one tenant.
    struct Confirmed: Sendable {
        var answer: ConfirmedContents<PreferenceData, PreferenceTarget>
        /// The parameters of the request.
        var args: PreferenceArgs
        /// The number of the request that chose `args`.
        var chosen: UInt64
    }

    var confirmed: [String: Confirmed] = [:]
    /// The tenant that is shown, and the number of the request that chose it.
    private var tenant: String?
    private var tenantChosen: UInt64 = 0
    var queue = PendingQueue<QueuedEdit>()
    /// Keys whose last failed request the service may have performed, with the number of the failure: the shown values
    /// may differ from the service's.
    var unverified: [Key: UInt64] = [:]
    /// The numbers of loads, confirmations and failures.
    var numbers = LoadNumbers()

    package init() {}

    // MARK: Contents

    /// The preferences of the tenant loaded last, with all changes; nil: none are loaded.
    package var data: PreferenceData? { tenant.flatMap { data(of: $0) } }

    /// The parameters of a tenant's last load; nil: not loaded.
    package func args(of tenantID: String?) -> PreferenceArgs? { confirmed[tenantID ?? "default"]?.args }

    /// The numbers of the unconfirmed changes.
    package var pending: Set<Int64> { queue.numbers() }

    /// The numbers of the unconfirmed changes of one target.
    func pending(of target: PreferenceTarget, _ tenantID: String?) -> Set<Int64> {
        guard let tenant = tenantID ?? tenant else { return [] }
        return queue.numbers(of: Key(target, tenant))
    }

    private func data(of tenant: String) -> PreferenceData? {
        guard var data = confirmed[tenant]?.answer.contents else { return nil }
        for change in queue.changes where change.key.tenant == tenant { change.edit.apply(to: &data) }
        return data
    }

    /// Discards all data; later responses are ignored.
    package mutating func discard() {
        confirmed = [:]
        tenant = nil
        tenantChosen = 0
        queue.remove(queue.entries)
        unverified = [:]
        numbers.discardLoads()
    }

    // MARK: Loading

    /// Begins to load all preferences.
    package mutating func beginLoad() -> UInt64 { numbers.beginLoad() }

    /// The response to a load; nil: it failed. Of two responses, the one to the later request wins. A reload (`again`)
    /// changes neither the shown tenant nor its parameters.
    ///
    /// Returns the preferences of that tenant; nil: the data was discarded meanwhile.
    @discardableResult
    package mutating func finishLoad(
        _ number: UInt64,
        _ args: PreferenceArgs,
        _ answer: PreferenceData?,
        again: Bool = false
    ) -> PreferenceData? {
        guard numbers.endLoad(number) else { return nil }
        defer { prune() }
        let name = args.tenantID ?? "default"
        if let answer, fits(number, args, again: again) {
            unverified = unverified.filter { $0.key.tenant != name || $0.value > number }
            var known =
                confirmed[name]
                ?? Confirmed(answer: ConfirmedContents(answer, load: number), args: args, chosen: number)
            known.answer.replace(by: answer, load: number) { $2.copy($0, from: $1) }
            known.args = args
            if !again { known.chosen = number }
            confirmed[name] = known
        }
        if answer != nil, !again, number > tenantChosen { (tenant, tenantChosen) = (name, number) }
        return data(of: name)
    }

    private func fits(_ number: UInt64, _ args: PreferenceArgs, again: Bool) -> Bool {
        guard let known = confirmed[args.tenantID ?? "default"] else { return true }
        if again { return number > known.answer.load && args == known.args }
        return number > known.chosen && (number > known.answer.load || args != known.args)
    }

    /// Discards confirmations that are older than every request in flight.
    mutating func prune() {
        for name in confirmed.keys { confirmed[name]?.answer.prune(numbers) }
    }

    // MARK: Changes

    /// Makes a change, to be sent later. Nil members of `args` are as in the last load. Returns the preferences with
    /// the change, and whether there is anything to send.
    ///
    /// Throws if the change is not allowed; the checks have the order of the service's own SDKs.
    package mutating func update(_ edit: PreferenceEdit, _ args: PreferenceArgs, now: Duration) throws(SuprSendError)
        -> (data: PreferenceData, isQueued: Bool)
    {
        try edit.validate()
        try args.validate()
        guard let name = args.tenantID ?? tenant, let known = confirmed[name], var data = data(of: name) else {
            let whose = args.tenantID.map { " of the tenant \"\($0)\"" } ?? ""
            throw .validation(
                .invalidState,
                "The preferences\(whose) are not loaded; call getPreferences() first, then change them."
            )
        }
        let isNew = try edit.changes(data)
        guard isNew || unverified[Key(edit.target, name)] != nil else { return (data, false) }
        var category: PreferenceCategory?
        if case .category(let slug) = edit.target { category = known.answer.contents.category(slug) }
        let args = args.completed(by: known.args)
        queue.append(
            QueuedEdit(
                key: Key(edit.target, args.tenantID),
                edit: edit,
                args: args,
                time: now,
                category: category
            )
        )
        edit.apply(to: &data)
        return (data, true)
    }
}
