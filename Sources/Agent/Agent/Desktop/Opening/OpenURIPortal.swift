package import DBus

/// `org.freedesktop.portal.OpenURI`, the members we use.
package enum OpenURIPortal: Interface {
    package static let busName: BusName = "org.freedesktop.portal.Desktop"
    package static let path: ObjectPath = "/org/freedesktop/portal/desktop"
    package static let name: InterfaceName = "org.freedesktop.portal.OpenURI"

    package static let openURI = Method(
        "OpenURI",
        in: (Argument<String>("parent_window"), Argument<String>("uri"), Argument<[String: Value]>("options")),
        out: (Argument<ObjectPath>("handle"))
    )
    package static let version = Property<UInt32>("version", .read, emitsChange: .const)
    package static let members: [any Member] = [openURI, version]
}

/// `org.freedesktop.portal.Request`, the members we use: what a portal was asked for, until its answer.
package enum PortalRequestInterface: Interface {
    package static let name: InterfaceName = "org.freedesktop.portal.Request"
    /// The parent of all requests.
    package static let parentPath: ObjectPath = "/org/freedesktop/portal/desktop/request"

    package static let close = Method("Close", in: (), out: ())
    package static let response = Signal(
        "Response",
        (Argument<UInt32>("response"), Argument<[String: Value]>("results"))
    )
    package static let members: [any Member] = [close, response]
}
