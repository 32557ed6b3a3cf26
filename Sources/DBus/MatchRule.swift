/// Which signals are wanted (D-Bus Specification, "Match Rules"). Every part that is set must fit.
public struct MatchRule: Sendable, Hashable, CustomStringConvertible {
    /// From whom. A well-known name means its owner of the moment; unlike the bus, a listener of ``Bus`` keeps to that also for signals
    /// that reach the connection for another reason.
    public var sender: BusName?
    /// From this object.
    public var path: ObjectPath?
    /// From this object or one below it.
    public var pathNamespace: ObjectPath?
    /// Of this interface.
    public var interface: InterfaceName?
    /// This signal.
    public var member: MemberName?
    /// The first argument is this string.
    public var arg0: String?
    /// The first argument is this name, or one that continues it after a dot.
    public var arg0Namespace: String?

    /// Signals that fit every given part.
    public init(
        sender: BusName? = nil,
        path: ObjectPath? = nil,
        pathNamespace: ObjectPath? = nil,
        interface: InterfaceName? = nil,
        member: MemberName? = nil,
        arg0: String? = nil,
        arg0Namespace: String? = nil
    ) {
        self.sender = sender
        self.path = path
        self.pathNamespace = pathNamespace
        self.interface = interface
        self.member = member
        self.arg0 = arg0
        self.arg0Namespace = arg0Namespace
    }

    /// The rule in the bus's notation.
    public var description: String {
        var parts = ["type='signal'"]
        func add(_ key: String, _ value: String?) {
            guard let value else { return }
            // Inside quotes nothing is special but the quote itself, which is written outside of them.
            parts.append(
                "\(key)='" + value.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#)
                    + "'"
            )
        }
        add("sender", sender?.text)
        add("path", path?.text)
        add("path_namespace", pathNamespace?.text)
        add("interface", interface?.text)
        add("member", member?.text)
        add("arg0", arg0)
        add("arg0namespace", arg0Namespace)
        return parts.joined(separator: ",")
    }

    /// The name whose owner has to be known to judge a message.
    var trackedName: BusName? {
        guard let sender, !sender.isUnique, sender != .bus else { return nil }
        return sender
    }

    /// Whether `message` is wanted. `owner` is who owns ``trackedName`` at the moment.
    func matches(_ message: Message, owner: BusName?) -> Bool {
        guard message.kind == .signal else { return false }
        if let sender, message.sender != (trackedName == nil ? sender : owner) || message.sender == nil { return false }
        if let path, message.path != path { return false }
        if let pathNamespace {
            guard let path = message.path, path == pathNamespace || path.isBelow(pathNamespace) else { return false }
        }
        if let interface, message.interface != interface { return false }
        if let member, message.member != member { return false }
        if arg0 == nil && arg0Namespace == nil { return true }
        guard case .string(let first) = message.body.first else { return false }
        if let arg0, first != arg0 { return false }
        if let arg0Namespace, first != arg0Namespace && !first.hasPrefix(arg0Namespace + ".") { return false }
        return true
    }
}
