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
    typealias Key = PreferenceQueue.Key

    /// The confirmed preferences of one tenant.
    struct Confirmed: Sendable {
        var data: PreferenceData
        /// The parameters of the request.
        var args: PreferenceArgs
        /// The number of the request.
        var requestNumber: UInt64
        /// The number of the request that chose `args`.
        var chosen: UInt64
        /// When each target was confirmed: responses to earlier requests do not contain it.
        var confirmations: [PreferenceTarget: UInt64] = [:]
    }

    var confirmed: [String: Confirmed] = [:]
    /// The tenant that is shown, and the number of the request that chose it.
    private var tenant: String?
    private var tenantChosen: UInt64 = 0
    var queue = PreferenceQueue()
    /// Keys whose last failed request the service may have performed, with the number of the failure: the shown values
    /// may differ from the service's.
    var unverified: [Key: UInt64] = [:]
    /// The numbers of the requests in flight.
    private var loads: Set<UInt64> = []
    private var lastNumber: UInt64 = 0

    package init() {}

    // MARK: Contents

    /// The preferences of the tenant loaded last, with all changes; nil: none are loaded.
    package var data: PreferenceData? { tenant.flatMap { data(of: $0) } }

    /// The parameters of a tenant's last load; nil: not loaded.
    package func args(of tenantID: String?) -> PreferenceArgs? { confirmed[tenantID ?? "default"]?.args }

    /// The numbers of the unconfirmed changes.
    package var pending: Set<UInt64> { queue.numbers }

    /// The numbers of the unconfirmed changes of one target.
    func pending(of target: PreferenceTarget, _ tenantID: String?) -> Set<UInt64> {
        guard let tenant = tenantID ?? tenant else { return [] }
        return queue.numbers(of: Key(target, tenant))
    }

    private func data(of tenant: String) -> PreferenceData? {
        guard var data = confirmed[tenant]?.data else { return nil }
        for change in queue.changes where change.key.tenant == tenant { change.edit.apply(to: &data) }
        return data
    }

    mutating func nextNumber() -> UInt64 {
        lastNumber += 1
        return lastNumber
    }

    /// Discards all data; later responses are ignored.
    package mutating func discard() {
        confirmed = [:]
        tenant = nil
        tenantChosen = 0
        queue = PreferenceQueue()
        unverified = [:]
        loads = []
    }

    // MARK: Loading

    /// Begins to load all preferences.
    package mutating func beginLoad() -> UInt64 {
        let number = nextNumber()
        loads.insert(number)
        return number
    }

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
        guard loads.remove(number) != nil else { return nil }
        defer { prune() }
        let name = args.tenantID ?? "default"
        if let answer, fits(number, args, again: again) {
            unverified = unverified.filter { $0.key.tenant != name || $0.value > number }
            let known = confirmed[name]
            confirmed[name] = Confirmed(
                data: known.map { updated(answer, requestNumber: number, by: $0) } ?? answer,
                args: args,
                requestNumber: number,
                chosen: again ? known?.chosen ?? number : number,
                confirmations: known?.confirmations ?? [:]
            )
        }
        if answer != nil, !again, number > tenantChosen { (tenant, tenantChosen) = (name, number) }
        return data(of: name)
    }

    private func fits(_ number: UInt64, _ args: PreferenceArgs, again: Bool) -> Bool {
        guard let known = confirmed[args.tenantID ?? "default"] else { return true }
        if again { return number > known.requestNumber && args == known.args }
        return number > known.chosen && (number > known.requestNumber || args != known.args)
    }

    /// A response with the confirmations that came after its request.
    private func updated(_ answer: PreferenceData, requestNumber: UInt64, by known: Confirmed) -> PreferenceData {
        var data = answer
        for (target, time) in known.confirmations where time > requestNumber {
            switch target {
            case .category(let slug):
                if let newer = known.data.category(slug) { data.update(slug) { $0 = newer } }
            case .channel(let name):
                if let newer = known.data.channel(name) { data.updateChannel(name) { $0 = newer } }
            }
        }
        return data
    }

    /// Discards confirmations that are older than every request in flight.
    mutating func prune() {
        let oldest = loads.min() ?? .max
        for (name, known) in confirmed {
            confirmed[name]?.confirmations = known.confirmations.filter { $0.value > oldest }
        }
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
        if case .category(let slug) = edit.target { category = known.data.category(slug) }
        let args = args.completed(by: known.args)
        queue.add(
            PreferenceQueue.Change(
                number: nextNumber(),
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
