/// How a name is asked for (D-Bus Specification, "RequestName").
public struct NameFlags: OptionSet, Sendable, Hashable {
    /// The number on the wire.
    public let rawValue: UInt32

    /// The flags of this number.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Others may take the name away with ``replaceExisting``.
    public static let allowReplacement = NameFlags(rawValue: 1)
    /// Takes the name from an owner that allows it.
    public static let replaceExisting = NameFlags(rawValue: 2)
    /// Do not wait for the name when somebody else owns it.
    public static let doNotQueue = NameFlags(rawValue: 4)
}

/// The bus's answer to a request for a name.
public enum NameReply: UInt32, Sendable, Hashable {
    /// The name is ours now.
    case primaryOwner = 1
    /// Somebody else owns it; we are next.
    case inQueue = 2
    /// Somebody else owns it.
    case exists = 3
    /// It was ours already.
    case alreadyOwner = 4

    /// Whether the name is ours.
    public var isOwner: Bool { self == .primaryOwner || self == .alreadyOwner }
}

extension Bus {
    /// Asks for a well-known name. Export first: whoever sees the name may call at once.
    /// - Throws: what the bus says, `Disconnected`, or `Timeout`.
    public func requestName(_ name: BusName, flags: NameFlags = [.doNotQueue]) async throws(DBusError) -> NameReply {
        let number = try await busCall(BusInterface.requestName, name.text, flags.rawValue)
        guard let reply = NameReply(rawValue: number) else {
            throw DBusError(.inconsistentMessage, "The bus answered a request for a name with \(number).")
        }
        return reply
    }

    /// Gives a name back. Returns whether it was ours.
    /// - Throws: what the bus says, `Disconnected`, or `Timeout`.
    @discardableResult
    public func releaseName(_ name: BusName) async throws(DBusError) -> Bool {
        try await busCall(BusInterface.releaseName, name.text) == 1
    }

    /// The unique name of who owns `name`; `nil` for nobody. Starts nothing.
    /// - Throws: `Disconnected`, or `Timeout`.
    public func nameOwner(of name: BusName) async throws(DBusError) -> BusName? {
        do throws(DBusError) {
            return try BusName(try await busCall(BusInterface.getNameOwner, name.text))
        } catch {
            guard error.name == .nameHasNoOwner else { throw error }
            return nil
        }
    }
}
