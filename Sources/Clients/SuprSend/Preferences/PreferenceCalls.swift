import ClientKit

/// The calls of preferences without an optimistic layer: each is one request, and returns the service's answer. For
/// callers that keep pending changes themselves.
package struct PreferenceCalls: Sendable {
    let context: RequestContext
    let identity: ActiveIdentity
    let routes: PreferenceRoutes

    /// Loads all preferences of the active tenant, with opted-out channels.
    ///
    /// - Parameter locale: The language of names and descriptions, such as `es-AR`; nil: the service's default.
    package func load(locale: String? = nil) async throws(SuprSendError) -> PreferenceData {
        let (user, args) = try parameters(locale)
        return try await result(of: .full(args), args, as: user).get()
    }

    /// Sends changes of one category in one request.
    ///
    /// - Parameters:
    ///   - edits: The changes, in their order; at least one, all of this category.
    ///   - category: The category as the service last returned it. The request replaces all choices of channels.
    ///   - locale: The language of the answer.
    package func send(
        _ edits: [PreferenceEdit],
        of category: PreferenceCategory,
        locale: String? = nil
    ) async throws(SuprSendError) -> PreferenceConfirmation {
        for edit in edits { try edit.validate() }
        let (user, args) = try parameters(locale)
        let body = PreferenceEdit.body(of: edits, on: category)
        return try await result(of: .patchCategory(category.slug, args, body: body), args, as: user).get()
    }

    /// Sends the level of a channel across all categories. Categories may change with it.
    package func send(_ level: ChannelLevel, ofChannel channel: String) async throws(SuprSendError)
        -> PreferenceConfirmation
    {
        let edit = PreferenceEdit.level(channel, level)
        try edit.validate()
        let (user, args) = try parameters(nil)
        let body = edit.body(nil, showsOptOutChannels: true)
        return try await result(of: .patchChannels(body: body), args, as: user).get()
    }

    private func parameters(_ locale: String?) throws(SuprSendError) -> (Identity, PreferenceArgs) {
        let user = try identity.required()
        let args = PreferenceArgs(tenantID: user.tenantID, showOptOutChannels: true, locale: locale)
        try args.validate()
        return (user, args)
    }

    func result<Contents: Decodable & Sendable>(
        of operation: PreferenceCall.Operation,
        _ args: PreferenceArgs,
        as user: Identity
    ) async -> Result<Contents, SuprSendError> {
        let service = APIClient(
            context: context,
            scope: RequestScope(hosts: context.hosts, distinctID: user.distinctID, tenantID: args.tenantID),
            tokens: user.tokens
        )
        return await service.result(of: PreferenceCall(operation, routes: routes))
    }
}

extension SuprSendClient {
    /// The calls of preferences without the optimistic layer of ``preferences``.
    package var preferenceCalls: PreferenceCalls { preferences.calls }
}

extension PreferenceEdit {
    /// The body of one request for several changes of a category, in their order.
    ///
    /// - Parameter known: The category as the service last returned it, with all its channels.
    static func body(of edits: [PreferenceEdit], on known: PreferenceCategory) -> JSONValue {
        var category = known
        for edit in edits { edit.apply(to: &category) }
        var body: [String: JSONValue] = ["preference": .string(category.preference.rawValue)]
        // Without this list, the service opts in to all editable channels, which only switching on the category means.
        let isSwitchedOn = category.preference == .optIn && known.preference != .optIn
        if !isSwitchedOn || edits.contains(where: \.isOfChannel) { body["opt_out_channels"] = optedOut(category) }
        var digest: DigestSchedule.Update?
        var properties: [CategoryProperty.Update] = []
        for edit in edits {
            switch edit {
            case .digest(let update, _): digest = digest.map { $0.merging(update) } ?? update
            case .properties(let updates, _):
                properties.removeAll { old in updates.contains { $0.key == old.key } }
                properties += updates
            case .category, .channel, .level: break
            }
        }
        if let digest { body["digest_schedule"] = digest.json }
        if !properties.isEmpty { body["properties"] = json(of: properties) }
        return .object(body)
    }

    private var isOfChannel: Bool { if case .channel = self { true } else { false } }
}

extension DigestSchedule.Update {
    /// This change, and then a later one. A change to another schedule replaces it.
    fileprivate func merging(_ later: Self) -> Self {
        guard later.id == id else { return later }
        return Self(
            id: id,
            time: later.time ?? time,
            dtstart: later.dtstart ?? dtstart,
            weekdays: later.weekdays ?? weekdays,
            monthdays: later.monthdays ?? monthdays
        )
    }
}
