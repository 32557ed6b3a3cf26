/// A rule that selects signals (D-Bus Specification, "Match Rules"). Every part that is set must match.
public struct MatchRule: Sendable, Hashable, CustomStringConvertible {
    /// The sender. A well-known name means its current owner. ``Bus`` also checks this for signals that reach the
    /// connection because of another rule.
    public var sender: BusName?
    /// The object that emits the signal.
    public var path: ObjectPath?
    /// An object; it or one below it emits the signal.
    public var pathNamespace: ObjectPath?
    /// The interface.
    public var interface: InterfaceName?
    /// The name of the signal.
    public var member: MemberName?
    /// The value of the first argument, a string.
    public var arg0: String?
    /// The first argument is this name or starts with this name and a dot.
    public var arg0Namespace: String?

    /// Signals that match every given part.
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

    /// The rule as the argument of `AddMatch`.
    public var description: String {
        var parts = ["type='signal'"]
        func add(_ key: String, _ value: String?) {
            guard let value else { return }
            // Inside quotes only the quote itself is special; it is written outside of them.
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

    /// The well-known name whose owner must be known to match a message.
    var trackedName: BusName? {
        guard let sender, !sender.isUnique, sender != .bus else { return nil }
        return sender
    }

    /// Whether `message` matches.
    /// - Parameter owner: Returns the current owner of ``trackedName``.
    func matches(_ message: Message, owner: (BusName) -> BusName?) -> Bool {
        matchesHeader(of: message, owner: owner) && matchesArguments(of: message)
    }

    /// Whether everything but the arguments of `message` matches.
    func matchesHeader(of message: Message, owner: (BusName) -> BusName?) -> Bool {
        guard message.kind == .signal else { return false }
        if let member, message.member != member { return false }
        if let interface, message.interface != interface { return false }
        if let path, message.path != path { return false }
        if let pathNamespace {
            guard let path = message.path, path == pathNamespace || path.isBelow(pathNamespace) else { return false }
        }
        if let sender {
            let owner = if let trackedName { owner(trackedName) } else { sender as BusName? }
            guard let owner, message.sender == owner else { return false }
        }
        return true
    }

    private func matchesArguments(of message: Message) -> Bool {
        if arg0 == nil && arg0Namespace == nil { return true }
        guard case .string(let first) = message.body.first else { return false }
        if let arg0, first != arg0 { return false }
        if let arg0Namespace, first != arg0Namespace && !first.hasPrefix(arg0Namespace + ".") { return false }
        return true
    }
}
