import Glibc

/// A file descriptor, received in a message or to be sent in one. It is closed when the last copy of the value is
/// destroyed.
public struct UnixDescriptor: Sendable, Hashable {
    private final class Owner: Sendable {
        let number: Int32
        init(_ number: Int32) { self.number = number }
        deinit { close(number) }
    }

    private let owner: Owner

    /// Takes ownership of an open descriptor. A message carries a duplicate of it.
    public init(owning number: Int32) { owner = Owner(number) }

    /// Calls `body` with the descriptor's number, which must not be used afterwards.
    public func withNumber<Result, Failure>(_ body: (Int32) throws(Failure) -> Result) throws(Failure) -> Result {
        try withExtendedLifetime(owner) { (owner) throws(Failure) in try body(owner.number) }
    }

    /// Whether both are copies of one value. Two descriptors of the same file are not equal.
    public static func == (left: UnixDescriptor, right: UnixDescriptor) -> Bool { left.owner === right.owner }

    /// Hashes what ``==(_:_:)`` compares.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(owner)) }
}

extension UnixDescriptor: DBusValue {
    /// `h`
    public static var dbusSignature: Signature { Signature(trusted: "h") }
    /// Reads an `h`.
    public init(dbus value: Value) throws(DBusError) {
        guard case .descriptor(let own) = value else { throw .mismatch(value, Self.self) }
        self = own
    }
    /// As `h`.
    public var dbusValue: Value { .descriptor(self) }
}
