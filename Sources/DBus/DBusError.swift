/// An error as D-Bus knows it: a name for programs, a sentence for people.
///
/// The same type is thrown for errors that came from a peer, from the bus and from this library, because a caller
/// treats them alike: by name.
public struct DBusError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Which error: compare with the constants in ``ErrorName``.
    public var name: ErrorName
    /// What happened, in a sentence. For logs; not translated.
    public var message: String

    /// An error called `name`.
    public init(_ name: ErrorName, _ message: String) {
        self.name = name
        self.message = message
    }

    /// The name and the sentence.
    public var description: String { message.isEmpty ? name.text : "\(name.text): \(message)" }

    /// Any error as one that may travel: a ``DBusError`` stays itself, anything else becomes `Failed` with only its type
    /// named, since its text was not written for other programs.
    public init(reporting error: any Error) {
        self =
            switch error {
            case let error as DBusError: error
            case is CancellationError: DBusError(.failed, "The work was cancelled.")
            default: DBusError(.failed, "The call failed (\(type(of: error))).")
            }
    }
}

/// The errors the D-Bus specification and the reference bus define (D-Bus Specification, "Message Bus Messages").
extension Name where Grammar == ErrorGrammar {
    /// Something went wrong that has no name of its own.
    public static let failed: ErrorName = "org.freedesktop.DBus.Error.Failed"
    /// Memory ran out.
    public static let noMemory: ErrorName = "org.freedesktop.DBus.Error.NoMemory"
    /// The arguments do not fit, by type or by value.
    public static let invalidArgs: ErrorName = "org.freedesktop.DBus.Error.InvalidArgs"
    /// The interface has no such method.
    public static let unknownMethod: ErrorName = "org.freedesktop.DBus.Error.UnknownMethod"
    /// The object has no such interface.
    public static let unknownInterface: ErrorName = "org.freedesktop.DBus.Error.UnknownInterface"
    /// Nothing is exported at the path.
    public static let unknownObject: ErrorName = "org.freedesktop.DBus.Error.UnknownObject"
    /// The interface has no such property.
    public static let unknownProperty: ErrorName = "org.freedesktop.DBus.Error.UnknownProperty"
    /// The property cannot be set.
    public static let propertyReadOnly: ErrorName = "org.freedesktop.DBus.Error.PropertyReadOnly"
    /// The peer went away, or the bus gave up waiting for it.
    public static let noReply: ErrorName = "org.freedesktop.DBus.Error.NoReply"
    /// The caller's own deadline passed.
    public static let timeout: ErrorName = "org.freedesktop.DBus.Error.Timeout"
    /// Nobody owns the name, and nothing can be started for it.
    public static let serviceUnknown: ErrorName = "org.freedesktop.DBus.Error.ServiceUnknown"
    /// Nobody owns the name.
    public static let nameHasNoOwner: ErrorName = "org.freedesktop.DBus.Error.NameHasNoOwner"
    /// The connection to the bus is gone.
    public static let disconnected: ErrorName = "org.freedesktop.DBus.Error.Disconnected"
    /// There is no bus at the address.
    public static let noServer: ErrorName = "org.freedesktop.DBus.Error.NoServer"
    /// The address is not understood.
    public static let badAddress: ErrorName = "org.freedesktop.DBus.Error.BadAddress"
    /// Too much of something: too large, too deep, too many.
    public static let limitsExceeded: ErrorName = "org.freedesktop.DBus.Error.LimitsExceeded"
    /// Not allowed.
    public static let accessDenied: ErrorName = "org.freedesktop.DBus.Error.AccessDenied"
    /// Known, but not done here.
    public static let notSupported: ErrorName = "org.freedesktop.DBus.Error.NotSupported"
    /// The signature is malformed.
    public static let invalidSignature: ErrorName = "org.freedesktop.DBus.Error.InvalidSignature"
    /// A message that breaks the protocol.
    public static let inconsistentMessage: ErrorName = "org.freedesktop.DBus.Error.InconsistentMessage"
    /// The match rule was not there.
    public static let matchRuleNotFound: ErrorName = "org.freedesktop.DBus.Error.MatchRuleNotFound"
    /// The waiting task was cancelled. Made here; never seen on a bus.
    public static let cancelled: ErrorName = "org.freedesktop.DBus.Local.Cancelled"
}
