import AgentInterface
import Basics
import DBus
import Inbox

/// A destination for property values: an object before its export, or the changes of an exported one.
protocol PropertySink {
    mutating func set<I: Interface, Content>(_ property: InterfaceProperty<I, Content>, _ value: Content)
}

extension ExportedObject: PropertySink {}
extension PropertyChanges: PropertySink {}

extension PropertySink {
    /// Sets the properties of the connection to the service.
    mutating func set(_ connection: Connection) {
        set(AgentAccount.state, connection.state.rawValue)
        set(AgentAccount.stateSince, connection.since.milliseconds)
        set(AgentAccount.nextAttempt, connection.nextAttempt?.milliseconds ?? 0)
        set(
            AgentAccount.lastError,
            connection.failure.map { Structure($0.errorName.text, $0.sentence) } ?? Structure("", "")
        )
        set(AgentAccount.attentionNeeded, connection.needsAttention)
    }
}

extension Connection {
    /// Whether only the user can end this state, and did not choose it.
    var needsAttention: Bool { state == .unauthorized && failure?.missingToken != .signedOut }
}

extension ServiceFailure {
    /// The D-Bus error name.
    var errorName: ErrorName {
        switch kind {
        case .transient: AgentErrors.offline
        case .rejected: AgentErrors.rejected
        case .notFound: AgentErrors.notFound
        case .unauthorized:
            switch missingToken {
            case .signedOut: AgentErrors.signedOut
            case .notSignedIn: AgentErrors.notSignedIn
            case .signInEnded: AgentErrors.signInEnded
            case nil: AgentErrors.unauthorized
            }
        case .unsupported: AgentErrors.notSupported
        case .notEditable: AgentErrors.notEditable
        case .exhausted: .limitsExceeded
        case .invalid: .invalidArgs
        }
    }

    /// The failure as the D-Bus error of a method call.
    var busError: DBusError { DBusError(errorName, sentence) }
}
