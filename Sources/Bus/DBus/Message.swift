/// One D-Bus message.
///
/// The static functions create the four kinds with their required fields.
public struct Message: Sendable, Hashable {
    /// The type of a message.
    public enum Kind: Sendable, Hashable {
        /// A call of a method.
        case methodCall
        /// A reply to a call.
        case methodReturn
        /// A reply to a call that failed.
        case error
        /// A signal.
        case signal
    }

    /// The type of this message.
    public var kind: Kind
    /// The serial, assigned by the sender's connection; 0 until the message is sent.
    public internal(set) var serial: UInt32 = 0
    /// The serial of the call to which this is a reply.
    public var replySerial: UInt32?
    /// The caller expects no reply.
    public var noReplyExpected = false
    /// The bus must not start a service for this call.
    public var noAutoStart = false

    /// The called object, or the object that emits the signal.
    public var path: ObjectPath? {
        get { storage.fields.path }
        set { change { $0.path = newValue } }
    }
    /// The interface of `member`. Optional in a call.
    public var interface: InterfaceName? {
        get { storage.fields.interface }
        set { change { $0.interface = newValue } }
    }
    /// The method or the signal.
    public var member: MemberName? {
        get { storage.fields.member }
        set { change { $0.member = newValue } }
    }
    /// The name of the error.
    public var errorName: ErrorName? {
        get { storage.fields.errorName }
        set { change { $0.errorName = newValue } }
    }
    /// The recipient. A signal without a destination is a broadcast.
    public var destination: BusName? {
        get { storage.fields.destination }
        set { change { $0.destination = newValue } }
    }
    /// The sender's unique name, set by the bus.
    public internal(set) var sender: BusName? {
        get { storage.fields.sender }
        set { change { $0.sender = newValue } }
    }
    /// The arguments.
    public var body: [Value] {
        get { storage.fields.body }
        set { change { $0.body = newValue } }
    }
    /// The arguments in place of ``body``, if they were encoded from typed values. Never set in a received message.
    var encoded: EncodedBody? {
        get { storage.fields.encoded }
        set { change { $0.encoded = newValue } }
    }

    /// The types of the arguments of a received message until they are decoded.
    var undecoded: Signature? {
        get { storage.fields.undecoded }
        set { change { $0.undecoded = newValue } }
    }
    /// The approximate size of the arguments of a received message in memory, in bytes.
    var size: Int {
        get { storage.fields.size }
        set { change { $0.size = newValue } }
    }

    private struct Fields: Hashable {
        var path: ObjectPath?
        var interface: InterfaceName?
        var member: MemberName?
        var errorName: ErrorName?
        var destination: BusName?
        var sender: BusName?
        var body: [Value]
        var encoded: EncodedBody?
        var undecoded: Signature?
        var size = 0
    }

    /// Not changed while it is shared.
    private final class Storage: Hashable, @unchecked Sendable {
        var fields: Fields

        init(_ fields: Fields) { self.fields = fields }

        static func == (left: Storage, right: Storage) -> Bool { left === right || left.fields == right.fields }
        func hash(into hasher: inout Hasher) { hasher.combine(fields) }
    }

    /// On the heap: a message passes through many hands, and a task keeps the memory of its deepest call until it ends.
    private var storage: Storage

    private mutating func change(_ body: (inout Fields) -> Void) {
        if !isKnownUniquelyReferenced(&storage) { storage = Storage(storage.fields) }
        body(&storage.fields)
    }

    init(_ kind: Kind, body: [Value]) {
        self.kind = kind
        storage = Storage(Fields(body: body))
    }

    /// The types of the arguments.
    public var signature: Signature { undecoded ?? encoded?.signature ?? Signature(of: body) }

    /// This message with encoded arguments.
    func with(_ arguments: EncodedBody) -> Message {
        var message = self
        message.encoded = arguments
        return message
    }

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

    /// A signal from the object at `path`; a broadcast, or for `destination` only.
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

    /// The reply to `call`.
    public static func methodReturn(to call: Message, _ body: [Value] = []) -> Message {
        var message = Message(.methodReturn, body: body)
        message.replySerial = call.serial
        message.destination = call.sender
        return message
    }

    /// The error reply to `call`.
    public static func error(to call: Message, _ error: DBusError) -> Message {
        var message = Message(.error, body: [.string(error.message)])
        message.errorName = error.name
        message.replySerial = call.serial
        message.destination = call.sender
        return message
    }

    /// The error of an error reply; `nil` for other kinds.
    public var error: DBusError? {
        guard kind == .error else { return nil }
        guard case .string(let text) = body.first else { return DBusError(errorName ?? .failed, "") }
        return DBusError(errorName ?? .failed, text)
    }
}
