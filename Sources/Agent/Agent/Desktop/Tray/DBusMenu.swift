package import DBus

/// `com.canonical.dbusmenu`, version 3: a menu that another program shows (libdbusmenu, "com.canonical.dbusmenu").
///
/// The item 0 is the root. Properties with their default values are not sent.
package enum DBusMenu: Interface {
    package static let name: InterfaceName = "com.canonical.dbusmenu"
    package static let protocolVersion: UInt32 = 3

    /// An item's id, its properties, and its children, each a variant with such a structure.
    package typealias Layout = Structure<Int32, [String: Value], [Value]>
    /// An item's id and its properties.
    package typealias Properties = Structure<Int32, [String: Value]>
    /// An item's id, the event (`clicked`, `hovered`, `opened`, `closed`), its data, and a time.
    package typealias Event = Structure<Int32, String, Value, UInt32>

    package static let version = Property<UInt32>("Version", .read, emitsChange: .const)
    package static let textDirection = Property<String>("TextDirection", .read, emitsChange: .const)
    package static let status = Property<String>("Status", .read, emitsChange: .const)
    package static let iconThemePath = Property<[String]>("IconThemePath", .read, emitsChange: .const)

    /// A recursion depth of -1 means all descendants, 0 the item alone. Without names, all properties are sent.
    package static let getLayout = Method(
        "GetLayout",
        in: (
            Argument<Int32>("parentId"), Argument<Int32>("recursionDepth"), Argument<[String]>("propertyNames")
        ),
        out: (Argument<UInt32>("revision"), Argument<Layout>("layout"))
    )
    /// Without ids, the properties of all items are sent.
    package static let getGroupProperties = Method(
        "GetGroupProperties",
        in: (Argument<[Int32]>("ids"), Argument<[String]>("propertyNames")),
        out: (Argument<[Properties]>("properties"))
    )
    package static let getProperty = Method(
        "GetProperty",
        in: (Argument<Int32>("id"), Argument<String>("name")),
        out: (Argument<Value>("value"))
    )
    package static let event = Method(
        "Event",
        in: (
            Argument<Int32>("id"), Argument<String>("eventId"), Argument<Value>("data"), Argument<UInt32>("timestamp")
        ),
        out: ()
    )
    /// Returns the ids that are unknown; an error if all are.
    package static let eventGroup = Method(
        "EventGroup",
        in: (Argument<[Event]>("events")),
        out: (Argument<[Int32]>("idErrors"))
    )
    /// Returns whether the layout has changed since it was requested.
    package static let aboutToShow = Method(
        "AboutToShow",
        in: (Argument<Int32>("id")),
        out: (Argument<Bool>("needUpdate"))
    )
    package static let aboutToShowGroup = Method(
        "AboutToShowGroup",
        in: (Argument<[Int32]>("ids")),
        out: (Argument<[Int32]>("updatesNeeded"), Argument<[Int32]>("idErrors"))
    )

    package static let itemsPropertiesUpdated = Signal(
        "ItemsPropertiesUpdated",
        (Argument<[Properties]>("updatedProps"), Argument<[Structure<Int32, [String]>]>("removedProps"))
    )
    package static let layoutUpdated = Signal(
        "LayoutUpdated",
        (Argument<UInt32>("revision"), Argument<Int32>("parent"))
    )
    package static let itemActivationRequested = Signal(
        "ItemActivationRequested",
        (Argument<Int32>("id"), Argument<UInt32>("timestamp"))
    )

    package static let members: [any Member] = [
        version, textDirection, status, iconThemePath, getLayout, getGroupProperties, getProperty, event, eventGroup,
        aboutToShow, aboutToShowGroup, itemsPropertiesUpdated, layoutUpdated, itemActivationRequested,
    ]
}
