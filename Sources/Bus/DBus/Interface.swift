/// A D-Bus interface, declared once and used to export, to call and to introspect.
///
/// ```swift
/// enum Clock: Interface {
///     static let name: InterfaceName = "org.example.Clock1"
///     static let setAlarm = Method(
///         "SetAlarm",
///         in: (Argument<Int64>("time"), Argument<String>("label")),
///         out: (Argument<UInt32>("id"))
///     )
///     static let rang = Signal("Rang", (Argument<UInt32>("id")))
///     static let alarms = Property<UInt32>("Alarms", .read, emitsChange: .value)
///     static let members: [any Member] = [setAlarm, rang, alarms]
/// }
/// ```
public protocol Interface: Sendable {
    /// The interface's name.
    static var name: InterfaceName { get }
    /// Every member, in the order of the introspection data.
    static var members: [any Member] { get }
}

extension Interface {
    /// A method of this interface. `Input` and `Output` are tuples of the arguments' types, or the type itself for a
    /// single argument.
    public typealias Method<Input, Output> = InterfaceMethod<Self, Input, Output>
    /// A signal of this interface.
    public typealias Signal<Arguments> = InterfaceSignal<Self, Arguments>
    /// A property of this interface.
    public typealias Property<Content: DBusValue> = InterfaceProperty<Self, Content>

    /// The interface as introspection data.
    public static var description: InterfaceDescription {
        InterfaceDescription(name, members.map(\.description))
    }
}

/// A method, a signal or a property of an ``Interface``.
public protocol Member: Sendable {
    /// The member as introspection data.
    var description: MemberDescription { get }
}

/// One argument of a method or a signal: its type, and its name in the documentation.
public struct Argument<Content: DBusValue>: Sendable {
    /// The name; it is not part of a message.
    public let name: String

    /// An argument with this name.
    public init(_ name: String) { self.name = name }

    var description: ArgumentDescription { ArgumentDescription(name, Content.dbusSignature) }
}

/// A method of `Owner`. Written as `Method("Name", in: (…), out: (…))` inside the interface.
public struct InterfaceMethod<Owner: Interface, Input, Output>: Member {
    /// The method's name.
    public let name: MemberName
    let input: ArgumentList<Input>
    let output: ArgumentList<Output>

    /// A method with these arguments; `()` for none.
    public init<each I: DBusValue, each O: DBusValue>(
        _ name: MemberName,
        in input: (repeat Argument<each I>),
        out output: (repeat Argument<each O>)
    ) where Input == (repeat each I), Output == (repeat each O) {
        self.name = name
        self.input = ArgumentList(repeat each input)
        self.output = ArgumentList(repeat each output)
    }

    /// The method as introspection data.
    public var description: MemberDescription { .method(name, in: input.descriptions, out: output.descriptions) }
}

/// A signal of `Owner`. Written as `Signal("Name", (…))` inside the interface.
public struct InterfaceSignal<Owner: Interface, Arguments>: Member {
    /// The signal's name.
    public let name: MemberName
    let arguments: ArgumentList<Arguments>

    /// A signal with these arguments; `()` for none.
    public init<each A: DBusValue>(
        _ name: MemberName,
        _ arguments: (repeat Argument<each A>)
    ) where Arguments == (repeat each A) {
        self.name = name
        self.arguments = ArgumentList(repeat each arguments)
    }

    /// The signal as introspection data.
    public var description: MemberDescription { .signal(name, arguments.descriptions) }

    /// Arguments in the wire format, for several signals with the same ones.
    /// - Throws: `InvalidArgs` if a value contradicts its own type; `LimitsExceeded`.
    public func encode(_ arguments: Arguments) throws(DBusError) -> EncodedBody { try self.arguments.encode(arguments) }

    /// The arguments, if `message` is this signal; `nil` otherwise.
    /// - Throws: `InvalidArgs` if the arguments have other types.
    public func decode(_ message: Message) throws(DBusError) -> Arguments? {
        guard message.kind == .signal, message.member == name, message.interface == Owner.name else { return nil }
        return try arguments.decode(message.body)
    }
}

/// A property of `Owner`. Written as `Property<UInt32>("Name", .read)` inside the interface.
public struct InterfaceProperty<Owner: Interface, Content: DBusValue>: Member {
    /// The property's name.
    public let name: MemberName
    /// Whether clients may read and write it.
    public let access: PropertyAccess
    /// The content of `PropertiesChanged` after a change.
    public let emitsChange: PropertyChange

    /// A property of type `Content`.
    public init(_ name: MemberName, _ access: PropertyAccess, emitsChange: PropertyChange = .value) {
        self.name = name
        self.access = access
        self.emitsChange = emitsChange
    }

    /// The property as introspection data.
    public var description: MemberDescription { .property(name, Content.dbusSignature, access, emitsChange) }
}

/// Whether clients may read and write a property.
public enum PropertyAccess: String, Sendable, Hashable {
    /// Read-only.
    case read
    /// Write-only.
    case write
    /// Read and write.
    case readWrite = "readwrite"
}

/// The content of `PropertiesChanged` when a property changes: the annotation
/// `org.freedesktop.DBus.Property.EmitsChangedSignal`.
public enum PropertyChange: String, Sendable, Hashable {
    /// The signal contains the new value.
    case value = "true"
    /// The signal contains only the name; clients read the value.
    case invalidates
    /// The property never changes while the object exists.
    case const
    /// No signal is emitted.
    case none = "false"
}

/// The arguments of one direction: their names, decoding and encoding.
struct ArgumentList<Arguments>: Sendable {
    let descriptions: [ArgumentDescription]
    let signature: Signature
    /// Whether such arguments are allowed in a message: not, for example, a dictionary whose keys are arrays.
    private let isValid: Bool
    /// The arguments as values.
    let values: @Sendable (Arguments) -> [Value]
    private let write: @Sendable (Arguments, inout BodyEncoder) throws(DBusError) -> Void
    private let read: @Sendable ([Value]) throws -> Arguments

    init<each A: DBusValue>(_ arguments: repeat Argument<each A>) where Arguments == (repeat each A) {
        var descriptions: [ArgumentDescription] = []
        for argument in repeat each arguments { descriptions.append(argument.description) }
        self.descriptions = descriptions
        signature = Signature(trusted: descriptions.map(\.signature.text).joined())
        isValid = signature.isValid
        values = { arguments in treeOfAll(repeat each arguments) }
        write = { (arguments, encoder) throws(DBusError) in
            try encodeAll(repeat each arguments, to: &encoder)
        }
        read = { values in try decodeAll(values, repeat (each A).self) }
    }

    /// The arguments in the wire format.
    /// - Throws: `InvalidArgs` if the types are not allowed in a message, or a value contradicts its own type;
    ///   `LimitsExceeded`.
    func encode(_ arguments: Arguments) throws(DBusError) -> EncodedBody {
        guard isValid else {
            throw DBusError(.invalidArgs, "“\(signature)” is not a valid signature of arguments.")
        }
        var encoder = BodyEncoder()
        try write(arguments, &encoder)
        return EncodedBody(signature, encoder)
    }

    func decode(_ values: [Value]) throws(DBusError) -> Arguments {
        do {
            return try read(values)
        } catch {
            // One message for too few, too many and wrong types. An invalid value of the right type has its own
            // message.
            let given = Signature(of: values)
            if given == signature, let error = error as? DBusError { throw error }
            throw DBusError(.invalidArgs, "Expected arguments of type “\(signature)”, got “\(given)”.")
        }
    }
}

private func treeOfAll<each T: DBusValue>(_ values: repeat each T) -> [Value] {
    var tree: [Value] = []
    for value in repeat each values { tree.append(value.dbusValue) }
    return tree
}

private func encodeAll<each T: DBusValue>(_ values: repeat each T, to encoder: inout BodyEncoder) throws(DBusError) {
    for value in repeat each values { try value.encode(to: &encoder) }
}
