/// The flags of a request for a name (D-Bus Specification, `org.freedesktop.DBus.RequestName`).
public struct NameFlags: OptionSet, Sendable, Hashable {
    /// The number on the wire.
    public let rawValue: UInt32

    /// The flags of this number.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Another connection may take over the name with ``replaceExisting``.
    public static let allowReplacement = NameFlags(rawValue: 1)
    /// Takes over the name if its owner set ``allowReplacement``.
    public static let replaceExisting = NameFlags(rawValue: 2)
    /// Do not wait for the name when another connection owns it.
    public static let doNotQueue = NameFlags(rawValue: 4)
}

/// The bus's reply to a request for a name.
public enum NameReply: UInt32, Sendable, Hashable {
    /// This connection owns the name now.
    case primaryOwner = 1
    /// Another connection owns it; this one is in the queue.
    case inQueue = 2
    /// Another connection owns it.
    case exists = 3
    /// This connection owned it already.
    case alreadyOwner = 4

    /// Whether this connection owns the name.
    public var isOwner: Bool { self == .primaryOwner || self == .alreadyOwner }
}

extension Bus {
    /// Requests a well-known name. Export objects first: clients may call as soon as the name has an owner.
    /// - Throws: The bus's error, `Disconnected`, or `Timeout`.
    public func requestName(_ name: BusName, flags: NameFlags = [.doNotQueue]) async throws(DBusError) -> NameReply {
        let number = try await busCall(BusInterface.requestName, name.text, flags.rawValue)
        guard let reply = NameReply(rawValue: number) else {
            throw DBusError(.inconsistentMessage, "The bus replied to RequestName with the unknown number \(number).")
        }
        return reply
    }

    /// Releases a name. Returns whether this connection owned it.
    /// - Throws: The bus's error, `Disconnected`, or `Timeout`.
    @discardableResult
    public func releaseName(_ name: BusName) async throws(DBusError) -> Bool {
        try await busCall(BusInterface.releaseName, name.text) == 1
    }

    /// The unique name of the owner of `name`; `nil` if it has none. Does not start a service.
    /// - Throws: `Disconnected` or `Timeout`.
    public func nameOwner(of name: BusName) async throws(DBusError) -> BusName? {
        do throws(DBusError) {
            return try BusName(try await busCall(BusInterface.getNameOwner, name.text))
        } catch {
            guard error.name == .nameHasNoOwner else { throw error }
            return nil
        }
    }
}
