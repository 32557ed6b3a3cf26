import ClientKit

/// The calls of preferences without an optimistic layer: each is one request, and returns the service's answer. For
/// callers that keep pending changes themselves.
package struct PreferenceCalls: Sendable {
    let context: RequestContext
    let identity: ActiveIdentity
    let routes: PreferenceRoutes

    /// Loads all preferences of the active tenant, with opted-out channels.
    ///
    /// - Parameters:
    ///   - locale: The language of names and descriptions, such as `es-AR`; nil: the service's default.
    ///   - tags: Only categories with these tags; nil: all.
    package func load(
        locale: String? = nil,
        tags: PreferenceTags? = nil
    ) async throws(SuprSendError) -> PreferenceData {
        let (user, args) = try parameters(locale, tags)
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
        try PreferenceEdit.level(channel, level).validate()
        let (user, args) = try parameters(nil)
        return try await result(of: .patchChannels(body: level.body(ofChannel: channel)), args, as: user).get()
    }

    private func parameters(
        _ locale: String?,
        _ tags: PreferenceTags? = nil
    ) throws(SuprSendError) -> (Identity, PreferenceArgs) {
        let user = try identity.required()
        let args = PreferenceArgs(tenantID: user.tenantID, showOptOutChannels: true, tags: tags, locale: locale)
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
