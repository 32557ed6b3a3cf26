package import DBus

/// `org.freedesktop.portal.OpenURI`, the members we call.
package enum OpenURIPortal: Interface {
    package static let busName: BusName = "org.freedesktop.portal.Desktop"
    package static let path: ObjectPath = "/org/freedesktop/portal/desktop"
    package static let name: InterfaceName = "org.freedesktop.portal.OpenURI"

    package static let openURI = Method(
        "OpenURI",
        in: (Argument<String>("parent_window"), Argument<String>("uri"), Argument<[String: Value]>("options")),
        out: (Argument<ObjectPath>("handle"))
    )
    package static let members: [any Member] = [openURI]
}
