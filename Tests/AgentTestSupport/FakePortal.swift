package import DBus

/// The portal's interface, as far as it is called.
package enum FakePortal: Interface {
    package static let name: InterfaceName = "org.freedesktop.portal.OpenURI"
    package static let openURI = Method(
        "OpenURI",
        in: (Argument<String>("parent_window"), Argument<String>("uri"), Argument<[String: Value]>("options")),
        out: (Argument<ObjectPath>("handle"))
    )
    package static let members: [any Member] = [openURI]
}
