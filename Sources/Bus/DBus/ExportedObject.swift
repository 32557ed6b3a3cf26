/// An object to export with ``Bus/export(_:)``: a path, interfaces, values of properties and handlers of methods.
///
/// ```swift
/// var object = ExportedObject("/org/example/Clock1")
/// object.set(Clock.alarms, 0)
/// object.handle(Clock.setAlarm) { time, label in try await alarms.add(time, label) }
/// try await bus.export(object)
/// ```
///
/// Using a member adds its whole interface. A method without a handler is listed in the introspection data and answers
/// `NotSupported`.
public struct ExportedObject: Sendable {
    typealias Handler = @Sendable ([Value], CallContext) async throws -> EncodedBody
    typealias Setter = @Sendable (Value, CallContext) async throws -> Void

    /// The path of the object.
    public let path: ObjectPath
    private(set) var record = ObjectRecord()
    private(set) var handlers: [MemberKey: Handler] = [:]
    private(set) var setters: [MemberKey: Setter] = [:]

    /// An object at `path` without interfaces.
    public init(_ path: ObjectPath) { self.path = path }

    /// Adds an interface without handlers and values.
    public mutating func add<I: Interface>(_ interface: I.Type) {
        if record.interface(I.name) == nil { record.add(I.description) }
    }

    /// Sets the handler of a method.
    ///
    /// Handlers start in the order in which the calls arrived, on the bus's queue: what a handler does before it first
    /// awaits another actor must be short. A thrown ``DBusError`` is the reply; any other error is sent as `Failed`.
    public mutating func handle<I: Interface, Input, Output>(
        _ method: InterfaceMethod<I, Input, Output>,
        _ body: @escaping @Sendable (Input) async throws -> Output
    ) {
        add(method) { input, _ in try await body(input) }
    }

    /// Sets the handler of a method without arguments.
    public mutating func handle<I: Interface, Output>(
        _ method: InterfaceMethod<I, (), Output>,
        _ body: @escaping @Sendable () async throws -> Output
    ) {
        add(method) { _, _ in try await body() }
    }

    /// Sets the handler of a method that needs the caller: it gets the arguments as one tuple, and the context.
    public mutating func handleCall<I: Interface, Input, Output>(
        _ method: InterfaceMethod<I, Input, Output>,
        _ body: @escaping @Sendable (Input, CallContext) async throws -> Output
    ) {
        add(method, body)
    }

    private mutating func add<I: Interface, Input, Output>(
        _ method: InterfaceMethod<I, Input, Output>,
        _ body: @escaping @Sendable (Input, CallContext) async throws -> Output
    ) {
        add(I.self)
        let key = MemberKey(interface: I.name, member: method.name)
        record.handled.insert(key)
        let (input, output) = (method.input, method.output)
        handlers[key] = { values, context in try output.encode(try await body(try input.decode(values), context)) }
    }

    /// Sets the value of a property. Every readable property needs a value before the object is exported.
    public mutating func set<I: Interface, Content>(_ property: InterfaceProperty<I, Content>, _ value: Content) {
        add(I.self)
        record[MemberKey(interface: I.name, member: property.name)] = value.dbusValue
    }

    /// Handles a client's request to set the property: if `body` returns, the property gets the new value; if it
    /// throws, it keeps the old one. Without a handler, a writable property accepts any value of its type.
    public mutating func onSet<I: Interface, Content>(
        _ property: InterfaceProperty<I, Content>,
        _ body: @escaping @Sendable (Content, CallContext) async throws -> Void
    ) {
        add(I.self)
        let key = MemberKey(interface: I.name, member: property.name)
        record.setters.insert(key)
        setters[key] = { value, context in try await body(try Content(dbus: value), context) }
    }

    /// The first readable property that has no value.
    var missingValue: MemberKey? {
        record.properties.first { $0.access != .write && $0.value == nil }?.key
    }
}

/// The caller and the message of a call.
public struct CallContext: Sendable, Hashable {
    /// The caller's unique name.
    public let sender: BusName?
    /// The whole message.
    public let message: Message
}

/// New values for properties of one object: see ``Bus/update(_:_:)``.
public struct PropertyChanges: Sendable {
    var changes: [(key: MemberKey, value: Value)] = []

    /// No changes.
    public init() {}

    /// Sets a property to this value.
    public mutating func set<I: Interface, Content>(_ property: InterfaceProperty<I, Content>, _ value: Content) {
        changes.append((MemberKey(interface: I.name, member: property.name), value.dbusValue))
    }
}
