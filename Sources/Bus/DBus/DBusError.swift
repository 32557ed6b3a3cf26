/// A D-Bus error: a name for programs and a message for users.
///
/// Errors of a peer, of the bus and of this library have the same type, because callers handle them the same way: by
/// name.
public struct DBusError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The name: compare it with the constants in ``ErrorName``.
    public var name: ErrorName
    /// The message, one sentence. For logs; not translated.
    public var message: String

    /// An error with this name and message.
    public init(_ name: ErrorName, _ message: String) {
        self.name = name
        self.message = message
    }

    /// The name and the message.
    public var description: String { message.isEmpty ? name.text : "\(name.text): \(message)" }

    /// Converts any error to one that may be sent. A ``DBusError`` is unchanged; any other error becomes `Failed` with
    /// the name of its type, because its text was not written for other programs.
    public init(reporting error: any Error) {
        self =
            switch error {
            case let error as DBusError: error
            case is CancellationError: DBusError(.failed, "The operation was cancelled.")
            default: DBusError(.failed, "The call failed (\(type(of: error))).")
            }
    }
}

/// The error names of the D-Bus specification and of the reference implementation.
extension Name where Grammar == ErrorGrammar {
    /// A failure without a more specific name.
    public static let failed: ErrorName = "org.freedesktop.DBus.Error.Failed"
    /// Out of memory.
    public static let noMemory: ErrorName = "org.freedesktop.DBus.Error.NoMemory"
    /// The arguments have wrong types or invalid values.
    public static let invalidArgs: ErrorName = "org.freedesktop.DBus.Error.InvalidArgs"
    /// The interface has no such method.
    public static let unknownMethod: ErrorName = "org.freedesktop.DBus.Error.UnknownMethod"
    /// The object has no such interface.
    public static let unknownInterface: ErrorName = "org.freedesktop.DBus.Error.UnknownInterface"
    /// No object is exported at the path.
    public static let unknownObject: ErrorName = "org.freedesktop.DBus.Error.UnknownObject"
    /// The interface has no such property.
    public static let unknownProperty: ErrorName = "org.freedesktop.DBus.Error.UnknownProperty"
    /// The property is read-only.
    public static let propertyReadOnly: ErrorName = "org.freedesktop.DBus.Error.PropertyReadOnly"
    /// The peer disconnected, or the bus stopped waiting for its reply.
    public static let noReply: ErrorName = "org.freedesktop.DBus.Error.NoReply"
    /// The caller's timeout expired.
    public static let timeout: ErrorName = "org.freedesktop.DBus.Error.Timeout"
    /// The name has no owner, and the bus cannot start one.
    public static let serviceUnknown: ErrorName = "org.freedesktop.DBus.Error.ServiceUnknown"
    /// The name has no owner.
    public static let nameHasNoOwner: ErrorName = "org.freedesktop.DBus.Error.NameHasNoOwner"
    /// The connection to the bus has ended.
    public static let disconnected: ErrorName = "org.freedesktop.DBus.Error.Disconnected"
    /// There is no bus at the address.
    public static let noServer: ErrorName = "org.freedesktop.DBus.Error.NoServer"
    /// The address is malformed.
    public static let badAddress: ErrorName = "org.freedesktop.DBus.Error.BadAddress"
    /// A limit was exceeded: too large, too deep, too many.
    public static let limitsExceeded: ErrorName = "org.freedesktop.DBus.Error.LimitsExceeded"
    /// Access denied.
    public static let accessDenied: ErrorName = "org.freedesktop.DBus.Error.AccessDenied"
    /// The operation is not supported.
    public static let notSupported: ErrorName = "org.freedesktop.DBus.Error.NotSupported"
    /// The signature is malformed.
    public static let invalidSignature: ErrorName = "org.freedesktop.DBus.Error.InvalidSignature"
    /// A message violates the protocol.
    public static let inconsistentMessage: ErrorName = "org.freedesktop.DBus.Error.InconsistentMessage"
    /// There is no such match rule.
    public static let matchRuleNotFound: ErrorName = "org.freedesktop.DBus.Error.MatchRuleNotFound"
    /// The waiting task was cancelled. Created by this library; never sent on a bus.
    public static let cancelled: ErrorName = "org.freedesktop.DBus.Local.Cancelled"
}
