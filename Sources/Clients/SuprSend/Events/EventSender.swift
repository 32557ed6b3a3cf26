import Basics
public import ClientKit

/// Sends events for the identified user.
struct EventSender: Sendable {
    let context: RequestContext
    let identity: ActiveIdentity

    /// Sends one event as the present user. Throws `invalidState` without an identified user, and the service's
    /// refusal. `tenantID`: the tenant of this event; nil: the active one.
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
            insertID: context.environment.makeID(),
            time: Timestamp(context.now),
            distinctID: identity.distinctID,
            tenant: .named(identity.tenantID)
        )
        return try await send(event, as: identity)
    }

    /// Sends a complete event; without a user, with the public key only.
    @discardableResult
    func send(_ event: Event, as identity: Identity?) async throws(SuprSendError) -> EventReceipt {
        let service = APIClient(
            context: context,
            scope: RequestScope(
                hosts: context.hosts,
                distinctID: identity?.distinctID ?? "",
                tenantID: identity?.tenantID
            ),
            tokens: identity?.tokens
        )
        return try await service.send(EventCall(event: event))
    }
}

extension SuprSendClient {
    /// Sends an event, which may start a workflow of the workspace.
    ///
    /// - Parameters:
    ///   - event: The event's name; names that begin with `$` are reserved.
    ///   - properties: The data for the workflow.
    ///   - tenantID: The tenant of this event; nil: the active one.
    /// - Returns: The service's id of the event, as shown in its logs; nil: the service returned none.
    /// - Throws: `invalidArgument` for an empty or reserved name or key, `invalidState` when no user is identified, and
    ///   the service's refusal.
    @discardableResult
    public func track(
        _ event: String,
        properties: [String: JSONValue] = [:],
        tenantID: String? = nil
    ) async throws(SuprSendError) -> String? {
        try ArgumentCheck.check(event, named: "event's name")
        if let tenantID { try ArgumentCheck.check(tenantID, named: "tenant id") }
        try PropertyKey.check([event], named: "event's name")
        try PropertyKey.check(properties.keys, named: "property")
        return try await events.send(.named(event, properties), tenantID: tenantID).messageID
    }
}
