/// An interface as introspection data: a value to compare, to print and to write as XML.
public struct InterfaceDescription: Sendable, Hashable {
    /// The interface's name.
    public var name: InterfaceName
    /// The members, in the order of declaration.
    public var members: [MemberDescription]

    /// An interface of these members.
    public init(_ name: InterfaceName, _ members: [MemberDescription]) {
        self.name = name
        self.members = members
    }

    /// One line per member and argument, with `interface NAME` first and members sorted by kind and name. Equivalent
    /// interfaces have equal outlines.
    ///
    /// ```
    /// interface org.example.Clock1
    /// method SetAlarm
    ///   in x time
    ///   out u id
    /// property u Alarms read emits
    /// signal Rang
    ///   u id
    /// ```
    public var outline: [String] {
        ["interface \(name)"] + members.sorted { $0.sortKey < $1.sortKey }.flatMap(\.outline)
    }
}

/// One member as introspection data.
public enum MemberDescription: Sendable, Hashable {
    /// A method and its arguments.
    case method(MemberName, in: [ArgumentDescription], out: [ArgumentDescription])
    /// A signal and its arguments.
    case signal(MemberName, [ArgumentDescription])
    /// A property and its type.
    case property(MemberName, Signature, PropertyAccess, PropertyChange)

    /// The member's name.
    public var name: MemberName {
        switch self {
        case .method(let name, _, _), .signal(let name, _), .property(let name, _, _, _): name
        }
    }

    /// The member's lines in ``InterfaceDescription/outline``.
    public var outline: [String] {
        switch self {
        case .method(let name, let input, let output):
            ["method \(name)"] + input.map { "  in \($0.outline)" } + output.map { "  out \($0.outline)" }
        case .signal(let name, let arguments):
            ["signal \(name)"] + arguments.map { "  \($0.outline)" }
        case .property(let name, let signature, let access, let change):
            ["property \(signature) \(name) \(access.rawValue) \(change.word)"]
        }
    }

    fileprivate var sortKey: String {
        switch self {
        case .method(let name, _, _): "1 \(name)"
        case .property(let name, _, _, _): "2 \(name)"
        case .signal(let name, _): "3 \(name)"
        }
    }
}

extension PropertyChange {
    fileprivate var word: String {
        switch self {
        case .value: "emits"
        case .invalidates: "invalidates"
        case .const: "const"
        case .none: "silent"
        }
    }
}

/// One argument as introspection data.
public struct ArgumentDescription: Sendable, Hashable {
    /// The name; empty if the data has none.
    public var name: String
    /// The type.
    public var signature: Signature

    /// An argument of this name and type.
    public init(_ name: String, _ signature: Signature) {
        self.name = name
        self.signature = signature
    }

    fileprivate var outline: String { name.isEmpty ? signature.text : "\(signature) \(name)" }
}

/// A node as introspection data: the object's interfaces and the nodes one level below.
public struct NodeDescription: Sendable, Hashable {
    /// The object's interfaces.
    public var interfaces: [InterfaceDescription]
    /// The last path elements of the nodes one level below.
    public var children: [String]

    /// A node with these interfaces and children.
    public init(interfaces: [InterfaceDescription] = [], children: [String] = []) {
        self.interfaces = interfaces
        self.children = children
    }

    /// The interface with this name.
    public func interface(_ name: InterfaceName) -> InterfaceDescription? { interfaces.first { $0.name == name } }
}
