/// A remote object.
///
/// ```swift
/// let clock = Proxy(bus, "org.example.Clock", "/org/example/Clock1")
/// let id = try await clock.call(Clock.setAlarm, 1_700_000_000, "tea")
/// let alarms = try await clock.get(Clock.alarms)
/// ```
public struct Proxy: Sendable {
    /// The connection.
    public let bus: Bus
    /// The bus name of the owner.
    public let destination: BusName
    /// The path of the object.
    public let path: ObjectPath

    /// The object at `path` of `destination`. Sends nothing.
    public init(_ bus: Bus, _ destination: BusName, _ path: ObjectPath) {
        self.bus = bus
        self.destination = destination
        self.path = path
    }

    /// Calls a method. Returns its results as a tuple, or a single result itself.
    /// - Parameters:
    ///   - timeout: Measured on the connection's clock; nil: none.
    ///   - autoStart: Whether the bus may start a service that is not running.
    /// - Throws: The error that was the reply; `Timeout`, `Disconnected`, ``Name/cancelled``; `InvalidArgs` if the
    ///   results have other types.
    @discardableResult
    public func call<I: Interface, each A, Output>(
        _ method: InterfaceMethod<I, (repeat each A), Output>,
        _ arguments: repeat each A,
        timeout: Duration? = Bus.defaultTimeout,
        autoStart: Bool = true
    ) async throws(DBusError) -> Output {
        let call = try method.call(destination, path, (repeat each arguments), autoStart: autoStart)
        return try method.result(await bus.reply(to: call, timeout: timeout))
    }

    /// The value of a property.
    /// - Throws: As ``call(_:_:timeout:autoStart:)``.
    public func get<I: Interface, Content>(
        _ property: InterfaceProperty<I, Content>,
        timeout: Duration = Bus.defaultTimeout,
        autoStart: Bool = true
    ) async throws(DBusError) -> Content {
        let value = try await call(
            PropertiesInterface.get,
            I.name.text,
            property.name.text,
            timeout: timeout,
            autoStart: autoStart
        )
        return try Content(dbus: value)
    }

    /// Sets a property.
    /// - Throws: As ``call(_:_:timeout:autoStart:)``.
    public func set<I: Interface, Content>(
        _ property: InterfaceProperty<I, Content>,
        _ value: Content,
        timeout: Duration = Bus.defaultTimeout
    ) async throws(DBusError) {
        try await call(PropertiesInterface.set, I.name.text, property.name.text, value.dbusValue, timeout: timeout)
    }

    /// Every readable property of an interface.
    /// - Throws: As ``call(_:_:timeout:autoStart:)``.
    public func getAll<I: Interface>(
        _ interface: I.Type,
        timeout: Duration = Bus.defaultTimeout,
        autoStart: Bool = true
    ) async throws(DBusError) -> PropertyValues<I> {
        let values = try await call(PropertiesInterface.getAll, I.name.text, timeout: timeout, autoStart: autoStart)
        return PropertyValues(values)
    }

    /// Every object below this one, if it is an object manager.
    /// - Throws: As ``call(_:_:timeout:autoStart:)``.
    public func getManagedObjects(
        timeout: Duration = Bus.defaultTimeout,
        autoStart: Bool = true
    ) async throws(DBusError) -> [ObjectPath: [String: [String: Value]]] {
        try await call(ObjectManagerInterface.getManagedObjects, timeout: timeout, autoStart: autoStart)
    }

    /// The object's signals of one interface: see ``Bus/signals(matching:buffering:)``.
    /// - Throws: As ``Bus/signals(matching:buffering:)``.
    public func signals<I: Interface>(
        of interface: I.Type,
        buffering: AsyncStream<Message>.Continuation.BufferingPolicy = .bufferingNewest(1024)
    ) async throws(DBusError) -> AsyncStream<Message> {
        try await bus.signals(
            matching: MatchRule(sender: destination, path: path, interface: I.name),
            buffering: buffering
        )
    }

    /// The object's `PropertiesChanged` signals of all interfaces: see ``PropertyValues/init(changedIn:)``.
    /// - Throws: As ``Bus/signals(matching:buffering:)``.
    public func propertyChanges() async throws(DBusError) -> AsyncStream<Message> {
        try await signals(of: PropertiesInterface.self)
    }
}

/// Values of properties of one interface, from `GetAll` or `PropertiesChanged`.
public struct PropertyValues<I: Interface>: Sendable, Hashable {
    /// By name.
    public var values: [String: Value]

    /// These values.
    public init(_ values: [String: Value]) { self.values = values }

    /// The new values in a `PropertiesChanged` of this interface; `nil` for any other message.
    /// - Throws: `InvalidArgs` if the arguments have other types.
    public init?(changedIn message: Message) throws(DBusError) {
        guard let (name, changed, _) = try PropertiesInterface.propertiesChanged.decode(message), name == I.name.text
        else { return nil }
        values = changed
    }

    /// The value of a property; `nil` when it is not among these.
    /// - Throws: `InvalidArgs` with the name of the property if it has another type.
    public func value<Content>(_ property: InterfaceProperty<I, Content>) throws(DBusError) -> Content? {
        try values.value(property.name.text)
    }
}
