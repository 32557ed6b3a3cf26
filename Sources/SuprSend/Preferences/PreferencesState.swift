/// The heart of preferences: what the service said last, and the changes it has not confirmed, which are shown on top. No clock, no
/// network: times come in as the time since any fixed moment.
///
/// So an answer lands underneath the pending changes, and a change that failed is undone by dropping it.
///
/// ```
/// load   ──────────────► confirmed ─┐
/// update ─► change ─────────────────┴─► shown
///              └─► request (1 s after the last toggle) ─► confirmed, or dropped
/// ```
package struct PreferencesState: Sendable {
    /// How long toggles of one key wait for more of them (suprsend.md §5.1).
    static let debounce = Duration.seconds(1)

    /// Changes of one key are sent one after the other, those of different keys independently.
    struct Key: Sendable, Hashable {
        /// A person without an active tenant is in `default`.
        var tenant: String
        var target: PreferenceTarget

        init(_ target: PreferenceTarget, _ tenantID: String?) {
            tenant = tenantID ?? "default"
            self.target = target
        }
    }

    struct Change: Sendable {
        var number: UInt64
        var key: Key
        var edit: PreferenceEdit
        /// The query of its request.
        var args: PreferenceArgs
        /// When it was made.
        var time: Duration
        /// The category when it was made, for the case that a later answer does not show it.
        var category: PreferenceCategory?
        var isUnderWay = false
    }

    /// What the service said about one tenant.
    struct Confirmed: Sendable {
        var data: PreferenceData
        /// How it was asked for.
        var args: PreferenceArgs
        /// The number of the question.
        var asked: UInt64
        /// The number of the question that chose `args`.
        var chosen: UInt64
        /// When a request confirmed what: a question asked before does not know of it.
        var confirmations: [PreferenceTarget: UInt64] = [:]
    }

    var confirmed: [String: Confirmed] = [:]
    /// The tenant that is shown, and the number of the question that chose it.
    private var tenant: String?
    private var tenantChosen: UInt64 = 0
    /// In the order in which they were made.
    var changes: [Change] = []
    /// Of which nobody knows whether the last request was carried out, and when that was: what is shown may not be what the service has.
    var doubts: [Key: UInt64] = [:]
    /// The questions that are not answered.
    private var loads: Set<UInt64> = []
    private var lastNumber: UInt64 = 0

    package init() {}

    // MARK: What there is to see

    /// The preferences of the tenant asked for last, with all changes made to them; nil: none were loaded.
    package var data: PreferenceData? { tenant.flatMap { data(of: $0) } }

    /// How a tenant's preferences were asked for last; nil: not at all.
    package func args(of tenantID: String?) -> PreferenceArgs? { confirmed[tenantID ?? "default"]?.args }

    /// The numbers of the changes that are not confirmed.
    package var pending: Set<UInt64> { Set(changes.map(\.number)) }

    /// The same for one target.
    func pending(of target: PreferenceTarget, _ tenantID: String?) -> Set<UInt64> {
        guard let tenant = tenantID ?? tenant else { return [] }
        let key = Key(target, tenant)
        return Set(changes.filter { $0.key == key }.map(\.number))
    }

    private func data(of tenant: String) -> PreferenceData? {
        guard var data = confirmed[tenant]?.data else { return nil }
        for change in changes where change.key.tenant == tenant { change.edit.apply(to: &data) }
        return data
    }

    mutating func nextNumber() -> UInt64 {
        lastNumber += 1
        return lastNumber
    }

    /// Forgets everything; what is answered later concerns nobody.
    package mutating func forget() {
        confirmed = [:]
        tenant = nil
        tenantChosen = 0
        changes = []
        doubts = [:]
        loads = []
    }

    // MARK: Loading

    /// Numbers a question for everything.
    package mutating func beginLoad() -> UInt64 {
        let number = nextNumber()
        loads.insert(number)
        return number
    }

    /// A question is answered; nil: it failed. Of two answers the one asked for later counts. A question that was only asked `again`
    /// changes neither the tenant shown nor how it is shown.
    ///
    /// Returns what is shown now of that tenant; nil: everything was forgotten meanwhile.
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
            doubts = doubts.filter { $0.key.tenant != name || $0.value > number }
            let known = confirmed[name]
            confirmed[name] = Confirmed(
                data: known.map { updated(answer, asked: number, by: $0) } ?? answer,
                args: args,
                asked: number,
                chosen: again ? known?.chosen ?? number : number,
                confirmations: known?.confirmations ?? [:]
            )
        }
        if answer != nil, !again, number > tenantChosen { (tenant, tenantChosen) = (name, number) }
        return data(of: name)
    }

    private func fits(_ number: UInt64, _ args: PreferenceArgs, again: Bool) -> Bool {
        guard let known = confirmed[args.tenantID ?? "default"] else { return true }
        if again { return number > known.asked && args == known.args }
        return number > known.chosen && (number > known.asked || args != known.args)
    }

    /// An answer with what was confirmed after it had been asked for.
    private func updated(_ answer: PreferenceData, asked: UInt64, by known: Confirmed) -> PreferenceData {
        var data = answer
        for (target, time) in known.confirmations where time > asked {
            switch target {
            case .category(let slug):
                if let newer = known.data.category(slug) { data.update(slug) { $0 = newer } }
            case .channel(let name):
                if let newer = known.data.channel(name) { data.updateChannel(name) { $0 = newer } }
            }
        }
        return data
    }

    /// Confirmations that every open question was asked after need not be remembered.
    mutating func prune() {
        let oldest = loads.min() ?? .max
        for (name, known) in confirmed {
            confirmed[name]?.confirmations = known.confirmations.filter { $0.value > oldest }
        }
    }

    // MARK: Changing

    /// Makes a change, to be sent. What `args` leaves out is as in the last load. Returns what is shown now, and whether there is
    /// anything to send.
    ///
    /// Throws why it must not be made, in the order in which the service's own clients check.
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
        guard isNew || doubts[Key(edit.target, name)] != nil else { return (data, false) }
        var category: PreferenceCategory?
        if case .category(let slug) = edit.target { category = known.data.category(slug) }
        let args = args.completed(by: known.args)
        changes.append(
            Change(
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
