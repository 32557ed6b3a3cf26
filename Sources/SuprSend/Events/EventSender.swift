public import SocketIO

/// Sends events for whoever is identified.
struct EventSender: Sendable {
    let workspace: Workspace
    let identity: ActiveIdentity

    /// Sends one event as the present person. Throws `invalidState` when there is none, and what the service says against it.
    /// `tenantID`: the tenant of this one event; nil: the active one.
    func send(_ contents: Event.Contents, tenantID: String? = nil) async throws(SuprSendError) {
        var identity = try identity.required()
        if let tenantID { identity.tenantID = tenantID }
        try await send(contents, as: identity)
    }

    func send(_ contents: Event.Contents, as identity: Identity) async throws(SuprSendError) {
        let event = Event(
            contents,
            insertID: workspace.surroundings.makeID(),
            time: Milliseconds(workspace.now),
            distinctID: identity.distinctID,
            tenant: .named(identity.tenantID)
        )
        try await send(event, as: identity)
    }

    /// Sends an event that is ready; without a person, with the public key alone.
    func send(_ event: Event, as identity: Identity?) async throws(SuprSendError) {
        let service = Service(
            workspace: workspace,
            scope: RequestScope(
                hosts: workspace.hosts,
                distinctID: identity?.distinctID ?? "",
                tenantID: identity?.tenantID
            ),
            tokens: identity?.tokens
        )
        try await service.perform(EventCall(event: event))
    }
}

extension SuprSendClient {
    /// Sends an event, which may start a workflow of the workspace.
    ///
    /// - Parameters:
    ///   - event: Its name; names with `$` in front are the service's own.
    ///   - properties: What the workflow is to know.
    ///   - tenantID: The tenant of this one event; nil: the active one.
    /// - Throws: `invalidArgument` for an empty or reserved name or key, `invalidState` when nobody is identified; what the service
    ///   says against it.
    public func track(
        _ event: String,
        properties: [String: JSONValue] = [:],
        tenantID: String? = nil
    ) async throws(SuprSendError) {
        try Argument.check(event, named: "event's name")
        if let tenantID { try Argument.check(tenantID, named: "tenant id") }
        try PropertyKey.check([event], named: "event's name")
        try PropertyKey.check(properties.keys, named: "property")
        try await events.send(.named(event, properties), tenantID: tenantID)
    }
}
