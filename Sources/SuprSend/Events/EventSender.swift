public import ClientKit

/// Sends events for whoever is identified.
struct EventSender: Sendable {
    let workspace: Workspace
    let identity: ActiveIdentity

    /// Sends one event as the present person. Throws `invalidState` when there is none, and what the service says against it.
    /// `tenantID`: the tenant of this one event; nil: the active one.
    @discardableResult
    func send(_ contents: Event.Contents, tenantID: String? = nil) async throws(SuprSendError) -> EventReceipt {
        var identity = try identity.required()
        if let tenantID { identity.tenantID = tenantID }
        return try await send(contents, as: identity)
    }

    @discardableResult
    func send(_ contents: Event.Contents, as identity: Identity) async throws(SuprSendError) -> EventReceipt {
        let event = Event(
            contents,
            insertID: workspace.surroundings.makeID(),
            time: Milliseconds(workspace.now),
            distinctID: identity.distinctID,
            tenant: .named(identity.tenantID)
        )
        return try await send(event, as: identity)
    }

    /// Sends an event that is ready; without a person, with the public key alone.
    @discardableResult
    func send(_ event: Event, as identity: Identity?) async throws(SuprSendError) -> EventReceipt {
        let service = Service(
            workspace: workspace,
            scope: RequestScope(
                hosts: workspace.hosts,
                distinctID: identity?.distinctID ?? "",
                tenantID: identity?.tenantID
            ),
            tokens: identity?.tokens
        )
        return try await service.perform(EventCall(event: event))
    }
}

extension SuprSendClient {
    /// Sends an event, which may start a workflow of the workspace.
    ///
    /// - Parameters:
    ///   - event: Its name; names with `$` in front are the service's own.
    ///   - properties: What the workflow is to know.
    ///   - tenantID: The tenant of this one event; nil: the active one.
    /// - Returns: The id that the service gave to the event, by which its logs name it; nil: it named none.
    /// - Throws: `invalidArgument` for an empty or reserved name or key, `invalidState` when nobody is identified; what the service
    ///   says against it.
    @discardableResult
    public func track(
        _ event: String,
        properties: [String: JSONValue] = [:],
        tenantID: String? = nil
    ) async throws(SuprSendError) -> String? {
        try Argument.check(event, named: "event's name")
        if let tenantID { try Argument.check(tenantID, named: "tenant id") }
        try PropertyKey.check([event], named: "event's name")
        try PropertyKey.check(properties.keys, named: "property")
        return try await events.send(.named(event, properties), tenantID: tenantID).messageID
    }
}
