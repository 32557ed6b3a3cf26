/// An object to export: a path, interfaces, values of properties and handlers of methods, put together as a value and handed to
/// ``Bus/export(_:)``.
///
/// ```swift
/// var object = ExportedObject("/org/example/Clock1")
/// object.set(Clock.alarms, 0)
/// object.handle(Clock.setAlarm) { time, label in try await alarms.add(time, label) }
/// try await bus.export(object)
/// ```
///
/// Naming a member adds its whole interface. A method without a handler is introspected, and answers `NotSupported`.
public struct ExportedObject: Sendable {
    typealias Handler = @Sendable ([Value], CallContext) async throws -> [Value]
    typealias Setter = @Sendable (Value, CallContext) async throws -> Void

    /// Where it will be.
    public let path: ObjectPath
    private(set) var record = ObjectRecord()
    private(set) var handlers: [MemberKey: Handler] = [:]
    private(set) var setters: [MemberKey: Setter] = [:]

    /// An object at `path` that has nothing yet.
    public init(_ path: ObjectPath) { self.path = path }

    /// Adds an interface none of whose members needs to be named.
    public mutating func add<I: Interface>(_ interface: I.Type) {
        if record.interface(I.name) == nil { record.interfaces.append(I.description) }
    }

    /// The handler of a method.
    ///
    /// Handlers are started in the order in which the calls arrived, on the bus's own queue: what a handler does before it first
    /// awaits another actor has to be short. What it throws is the answer: a ``DBusError`` as it is, other errors as `Failed`.
    public mutating func handle<I: Interface, Input, Output>(
        _ method: InterfaceMethod<I, Input, Output>,
        _ body: @escaping @Sendable (Input) async throws -> Output
    ) {
        add(method) { input, _ in try await body(input) }
    }

    /// The handler of a method without arguments.
    public mutating func handle<I: Interface, Output>(
        _ method: InterfaceMethod<I, (), Output>,
        _ body: @escaping @Sendable () async throws -> Output
    ) {
        add(method) { _, _ in try await body() }
    }

    /// The handler of a method, when it wants to know who calls: the arguments as one tuple, then the context.
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
        handlers[key] = { values, context in output.encode(try await body(try input.decode(values), context)) }
    }

    /// The value of a property. Every property that can be read needs one before the object is exported.
    public mutating func set<I: Interface, Content>(_ property: InterfaceProperty<I, Content>, _ value: Content) {
        add(I.self)
        record.values[I.name, default: [:]][property.name] = value.dbusValue
    }

    /// What happens when somebody sets the property: when `body` returns, the property has the new value; when it throws, the old one
    /// stays. Without this, a property that can be written takes any value of its type.
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
        for interface in record.interfaces {
            for case .property(let name, _, let access, _) in interface.members {
                if access != .write && record.values[interface.name]?[name] == nil {
                    return MemberKey(interface: interface.name, member: name)
                }
            }
        }
        return nil
    }
}

/// Who calls, and what.
public struct CallContext: Sendable, Hashable {
    /// The caller's unique name.
    public let sender: BusName?
    /// The whole message.
    public let message: Message
}

/// New values for properties of one object: see ``Bus/update(_:_:)``.
public struct PropertyChanges: Sendable {
    var changes: [(key: MemberKey, value: Value)] = []

    /// The property has this value now.
    public mutating func set<I: Interface, Content>(_ property: InterfaceProperty<I, Content>, _ value: Content) {
        changes.append((MemberKey(interface: I.name, member: property.name), value.dbusValue))
    }
}
