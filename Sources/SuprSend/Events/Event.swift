import ClientKit

/// The body of `POST /v2/event` (suprsend.md §2.3): one event, or one operation on the person's profile.
package struct Event: Sendable, Equatable {
    /// What it says.
    package enum Contents: Sendable, Equatable {
        case named(String, [String: JSONValue])
        case operation(Operator, JSONValue)
    }

    /// The operations on a profile.
    package enum Operator: String, Sendable, CaseIterable {
        case set = "$set"
        case setOnce = "$set_once"
        case add = "$add"
        case append = "$append"
        case remove = "$remove"
        case unset = "$unset"
    }

    /// Whether, and which, tenant goes along.
    package enum Tenant: Sendable, Equatable {
        /// Push events carry none.
        case omitted
        /// Nil is sent as `null`.
        case named(String?)
    }

    package var contents: Contents
    /// A UUID: the service takes in an event once, however often it comes.
    package var insertID: String
    package var time: Milliseconds
    package var distinctID: String
    package var tenant: Tenant

    package init(
        _ contents: Contents,
        insertID: String,
        time: Milliseconds,
        distinctID: String,
        tenant: Tenant
    ) {
        self.contents = contents
        self.insertID = insertID
        self.time = time
        self.distinctID = distinctID
        self.tenant = tenant
    }

    /// As it is sent. `$time` is integer milliseconds.
    package var json: JSONValue {
        var members: [String: JSONValue] = [
            "$insert_id": .string(insertID),
            "$time": .integer(time.value),
            "distinct_id": .string(distinctID),
        ]
        if case .named(let tenant) = tenant { members["tenant_id"] = tenant.map(JSONValue.string) ?? .null }
        switch contents {
        case .named(let name, let properties):
            members["event"] = .string(name)
            members["properties"] = .object(properties)
        case .operation(let name, let value):
            members[name.rawValue] = value
        }
        return .object(members)
    }
}

/// Sending an event. Always one object, never a list.
struct EventCall: ServiceCall, Equatable {
    var event: Event

    var method: String { "POST" }
    var body: String? { event.json.text }

    func url(in scope: RequestScope) -> String { scope.hosts.hub + "/v2/event" }
}
