import Basics

/// Introspection data as XML (D-Bus Specification, "Introspection Data Format").
extension NodeDescription {
    /// The XML document that `org.freedesktop.DBus.Introspectable.Introspect` returns.
    public var xml: String {
        var lines = [
            #"<!DOCTYPE node PUBLIC "-//freedesktop//DTD D-BUS Object Introspection 1.0//EN""#,
            #" "http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd">"#,
            "<node>",
        ]
        lines += interfaces.flatMap(\.xmlLines)
        lines += children.map { #"  <node name="\#($0.escapedForXMLAttribute)"/>"# }
        lines.append("</node>")
        return lines.joined(separator: "\n") + "\n"
    }
}

extension InterfaceDescription {
    fileprivate var xmlLines: [String] {
        [#"  <interface name="\#(name)">"#] + members.flatMap(\.xmlLines) + ["  </interface>"]
    }
}

extension MemberDescription {
    fileprivate var xmlLines: [String] {
        switch self {
        case .method(let name, let input, let output):
            element(
                "method",
                name,
                input.map { $0.xml(#" direction="in""#) } + output.map { $0.xml(#" direction="out""#) }
            )
        case .signal(let name, let arguments):
            element("signal", name, arguments.map { $0.xml("") })
        case .property(let name, let signature, let access, let change):
            [
                #"    <property name="\#(name)" type="\#(signature)" access="\#(access.rawValue)">"#,
                #"      <annotation name="\#(emitsChangedSignal)" value="\#(change.rawValue)"/>"#,
                "    </property>",
            ]
        }
    }

    private func element(_ kind: String, _ name: MemberName, _ arguments: [String]) -> [String] {
        arguments.isEmpty
            ? [#"    <\#(kind) name="\#(name)"/>"#]
            : [#"    <\#(kind) name="\#(name)">"#] + arguments + ["    </\(kind)>"]
    }
}

extension ArgumentDescription {
    fileprivate func xml(_ direction: String) -> String {
        let name = name.isEmpty ? "" : #" name="\#(name.escapedForXMLAttribute)""#
        return #"      <arg\#(name) type="\#(signature)"\#(direction)/>"#
    }
}

private let emitsChangedSignal = "org.freedesktop.DBus.Property.EmitsChangedSignal"
