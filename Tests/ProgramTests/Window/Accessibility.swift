import DBus

/// `org.a11y.Bus`: where the bus of assistive technologies is.
enum AccessibilityBus: Interface {
    static let busName: BusName = "org.a11y.Bus"
    static let path: ObjectPath = "/org/a11y/bus"
    static let name: InterfaceName = "org.a11y.Bus"

    static let getAddress = Method("GetAddress", in: (), out: (Argument<String>("address")))
    static let members: [any Member] = [getAddress]
}

/// `org.a11y.atspi.Accessible`, the members that the tests call.
enum Accessible: Interface {
    static let name: InterfaceName = "org.a11y.atspi.Accessible"

    static let accessibleName = Property<String>("Name", .read)
    static let description = Property<String>("Description", .read)
    static let getChildren = Method("GetChildren", in: (), out: (Argument<[Structure<String, ObjectPath>]>("children")))
    static let getRoleName = Method("GetRoleName", in: (), out: (Argument<String>("role")))
    static let getRole = Method("GetRole", in: (), out: (Argument<UInt32>("role")))
    /// Widgets of which the name or the description is that of others: a kind of relation, and those others.
    static let getRelationSet = Method(
        "GetRelationSet",
        in: (),
        out: (Argument<[Structure<UInt32, [Structure<String, ObjectPath>]>]>("relations"))
    )
    static let members: [any Member] = [
        accessibleName, description, getChildren, getRoleName, getRole, getRelationSet,
    ]
}

/// `org.a11y.atspi.Cache`: what a program says of its widgets.
enum AccessibleCache: Interface {
    static let path: ObjectPath = "/org/a11y/atspi/cache"
    static let name: InterfaceName = "org.a11y.atspi.Cache"

    typealias Reference = Structure<String, ObjectPath>
    /// A widget, its program, its parent, its position there, the number of its children, its interfaces, its name, its
    /// role, its description and its states.
    typealias Item = Structure<
        Reference, Reference, Reference, Int32, Int32, [String], String, UInt32, String, [UInt32]
    >
    static let getItems = Method("GetItems", in: (), out: (Argument<[Item]>("items")))
    static let members: [any Member] = [getItems]
}

enum AccessibleAction: Interface {
    static let name: InterfaceName = "org.a11y.atspi.Action"

    static let doAction = Method("DoAction", in: (Argument<Int32>("index")), out: (Argument<Bool>("done")))
    static let members: [any Member] = [doAction]
}

enum AccessibleEntry: Interface {
    static let name: InterfaceName = "org.a11y.atspi.EditableText"

    static let setText = Method("SetTextContents", in: (Argument<String>("text")), out: (Argument<Bool>("done")))
    static let members: [any Member] = [setText]
}

enum AccessibleText: Interface {
    static let name: InterfaceName = "org.a11y.atspi.Text"

    static let getText = Method(
        "GetText",
        in: (Argument<Int32>("start"), Argument<Int32>("end")),
        out: (Argument<String>("text"))
    )
    static let members: [any Member] = [getText]
}

enum AccessibleComponent: Interface {
    static let name: InterfaceName = "org.a11y.atspi.Component"

    static let getExtents = Method(
        "GetExtents",
        in: (Argument<UInt32>("coordinates")),
        out: (Argument<Structure<Int32, Int32, Int32, Int32>>("extents"))
    )
    static let members: [any Member] = [getExtents]
}

/// `org.a11y.atspi.Event.Object`: what widgets report to screen readers.
enum AccessibleEvents: Interface {
    static let name: InterfaceName = "org.a11y.atspi.Event.Object"

    static let announcement = Signal(
        "Announcement",
        (
            Argument<String>("kind"), Argument<Int32>("politeness"), Argument<Int32>("detail"),
            Argument<Value>("text"), Argument<[String: Value]>("properties")
        )
    )
    static let stateChanged = Signal(
        "StateChanged",
        (
            Argument<String>("state"), Argument<Int32>("isOn"), Argument<Int32>("detail"),
            Argument<Value>("value"), Argument<[String: Value]>("properties")
        )
    )
    static let members: [any Member] = [announcement, stateChanged]
}

/// `org.a11y.atspi.Registry`: programs report only what a screen reader has registered for.
enum AccessibleRegistry: Interface {
    static let busName: BusName = "org.a11y.atspi.Registry"
    static let path: ObjectPath = "/org/a11y/atspi/registry"
    static let name: InterfaceName = "org.a11y.atspi.Registry"

    static let registerEvent = Method("RegisterEvent", in: (Argument<String>("event")), out: ())
    static let members: [any Member] = [registerEvent]
}

/// A widget as a screen reader sees it.
struct ScreenElement: Sendable, Equatable, CustomStringConvertible {
    /// `ATSPI_ROLE_PASSWORD_TEXT`: screen readers do not speak what is typed.
    static let passwordRole: UInt32 = 40

    /// The bits of `AtspiStateType` that the tests use.
    enum State: Int {
        case active = 1, checked = 4, expanded = 10, focused = 12, selectable = 22, selected = 23, sensitive = 24,
            visible = 30
    }

    let proxy: Proxy
    let role: String
    let name: String
    let states: UInt64
    var children: [ScreenElement] = []

    /// The same widget, whatever its name, its states and what is in it.
    static func == (one: ScreenElement, other: ScreenElement) -> Bool { one.proxy.path == other.proxy.path }

    var description: String {
        "\(role) \"\(name)\"" + (has(.focused) ? ", focused" : has(.active) ? ", active" : "")
    }

    /// Whether it is on or off.
    var isSwitch: Bool { role == "toggle button" || role == "switch" || role == "checkbox" }

    func has(_ state: State) -> Bool { states >> UInt64(state.rawValue) & 1 == 1 }

    /// It and all below it that are visible, in the order of the tree.
    var all: [ScreenElement] { has(.visible) ? [self] + children.flatMap(\.all) : [] }

    /// The widget in it, or it itself, to which keys go.
    var focused: ScreenElement? { all.last { $0.has(.focused) } }

    /// Does what a click would.
    ///
    /// - Returns: Whether it was done; not if the widget has gone.
    func press() async throws -> Bool {
        do throws(DBusError) {
            return try await proxy.call(AccessibleAction.doAction, 0)
        } catch  where error.name == .unknownMethod {
            return false
        }
    }

    /// The names of other widgets that Orca says as the label and the description of this one, beside its own.
    func relatedNames() async throws -> [String] {
        // `ATSPI_RELATION_LABELLED_BY` and `ATSPI_RELATION_DESCRIBED_BY`.
        let relations = try await proxy.call(Accessible.getRelationSet).filter { [2, 18].contains($0.elements.0) }
        var names: [String] = []
        for path in relations.flatMap(\.elements.1).map(\.elements.1) {
            names.append(try await Proxy(proxy.bus, proxy.destination, path).get(Accessible.accessibleName))
        }
        return names
    }

    /// Its left and upper edge in the window, its width and its height; nil: it has gone.
    func extents() async throws -> (x: Int, y: Int, width: Int, height: Int)? {
        do throws(DBusError) {
            // Relative to the window.
            let (x, y, width, height) = try await proxy.call(AccessibleComponent.getExtents, 1).elements
            return (Int(x), Int(y), Int(width), Int(height))
        } catch  where error.name == .unknownMethod {
            return nil
        }
    }
}
