/// One D-Bus message.
///
/// The static functions make the four kinds with the fields each needs.
public struct Message: Sendable, Hashable {
    /// What a message is.
    public enum Kind: Sendable, Hashable {
        /// Asks an object to do something.
        case methodCall
        /// Answers a call.
        case methodReturn
        /// Answers a call that failed.
        case error
        /// Tells that something happened.
        case signal
    }

    /// What this message is.
    public var kind: Kind
    /// Its number, given by the sender's connection; 0 until it is sent.
    public internal(set) var serial: UInt32 = 0
    /// Which call is answered.
    public var replySerial: UInt32?
    /// The object that is called, or that sends.
    public var path: ObjectPath?
    /// The interface of `member`. A call may leave it out.
    public var interface: InterfaceName?
    /// The method or the signal.
    public var member: MemberName?
    /// Which error.
    public var errorName: ErrorName?
    /// For whom. A signal without a destination goes to everybody who asked for it.
    public var destination: BusName?
    /// From whom: the unique name, filled in by the bus.
    public internal(set) var sender: BusName?
    /// The caller does not want an answer.
    public var noReplyExpected = false
    /// The bus shall not start a service for this call.
    public var noAutoStart = false
    /// The arguments.
    public var body: [Value]

    init(_ kind: Kind, body: [Value]) {
        self.kind = kind
        self.body = body
    }

    /// The types of the arguments.
    public var signature: Signature { Signature(of: body) }

    /// A call of `interface.member` on the object at `path` of `destination`.
    public static func methodCall(
        _ destination: BusName,
        _ path: ObjectPath,
        _ interface: InterfaceName?,
        _ member: MemberName,
        _ body: [Value] = [],
        autoStart: Bool = true
    ) -> Message {
        var message = Message(.methodCall, body: body)
        message.destination = destination
        message.path = path
        message.interface = interface
        message.member = member
        message.noAutoStart = !autoStart
        return message
    }

    /// A signal from the object at `path`; to everybody who listens, or to `destination` alone.
    public static func signal(
        _ path: ObjectPath,
        _ interface: InterfaceName,
        _ member: MemberName,
        _ body: [Value] = [],
        to destination: BusName? = nil
    ) -> Message {
        var message = Message(.signal, body: body)
        message.path = path
        message.interface = interface
        message.member = member
        message.destination = destination
        return message
    }

    /// The answer to `call`.
    public static func methodReturn(to call: Message, _ body: [Value] = []) -> Message {
        var message = Message(.methodReturn, body: body)
        message.replySerial = call.serial
        message.destination = call.sender
        return message
    }

    /// The refusal of `call`.
    public static func error(to call: Message, _ error: DBusError) -> Message {
        var message = Message(.error, body: [.string(error.message)])
        message.errorName = error.name
        message.replySerial = call.serial
        message.destination = call.sender
        return message
    }

    /// The error this message tells of, `nil` for other kinds.
    public var error: DBusError? {
        guard kind == .error else { return nil }
        guard case .string(let text) = body.first else { return DBusError(errorName ?? .failed, "") }
        return DBusError(errorName ?? .failed, text)
    }
}
