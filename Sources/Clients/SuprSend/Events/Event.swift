package import Basics
import ClientKit

/// The body of `POST /v2/event`: one event, or one operation on the user's profile.
package struct Event: Sendable, Equatable {
    /// An event with its properties, or a profile operation with its value.
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

    /// The event's tenant.
    package enum Tenant: Sendable, Equatable {
        /// Push events have none.
        case omitted
        /// Nil is sent as `null`.
        case named(String?)
    }

    package var contents: Contents
    /// A UUID: the service processes an event once, even if it receives it several times.
    package var insertID: String
    package var time: Timestamp
    package var distinctID: String
    package var tenant: Tenant

    package init(
        _ contents: Contents,
        insertID: String,
        time: Timestamp,
        distinctID: String,
        tenant: Tenant
    ) {
        self.contents = contents
        self.insertID = insertID
        self.time = time
        self.distinctID = distinctID
        self.tenant = tenant
    }

    /// The body. `$time` is integer milliseconds.
    package var json: JSONValue {
        var members: [String: JSONValue] = [
            "$insert_id": .string(insertID),
            "$time": .integer(time.milliseconds),
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

/// The call that sends an event: always one object, never a list.
struct EventCall: ServiceCall, Equatable {
    var event: Event

    var method: String { "POST" }
    var body: String? { event.json.text }

    func url(in scope: RequestScope) -> String { scope.hosts.hub + "/v2/event" }
}
