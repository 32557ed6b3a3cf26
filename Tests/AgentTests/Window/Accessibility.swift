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

    static let title = Property<String>("Name", .read)
    static let getChildren = Method("GetChildren", in: (), out: (Argument<[Structure<String, ObjectPath>]>("children")))
    static let getRoleName = Method("GetRoleName", in: (), out: (Argument<String>("role")))
    static let getState = Method("GetState", in: (), out: (Argument<[UInt32]>("states")))
    static let members: [any Member] = [title, getChildren, getRoleName, getState]
}

enum AccessibleAction: Interface {
    static let name: InterfaceName = "org.a11y.atspi.Action"

    static let doAction = Method("DoAction", in: (Argument<Int32>("index")), out: (Argument<Bool>("done")))
    static let members: [any Member] = [doAction]
}

enum AccessibleText: Interface {
    static let name: InterfaceName = "org.a11y.atspi.EditableText"

    static let setText = Method("SetTextContents", in: (Argument<String>("text")), out: (Argument<Bool>("done")))
    static let members: [any Member] = [setText]
}

/// A widget as a screen reader sees it.
struct ScreenElement: Sendable {
    /// The bits of `AtspiStateType` that the tests use.
    enum State: Int { case checked = 4, focused = 12, sensitive = 24, visible = 30 }

    let proxy: Proxy
    let role: String
    let name: String
    let states: UInt64
    var children: [ScreenElement] = []

    /// Whether it is on or off.
    var isSwitch: Bool { role == "toggle button" || role == "switch" || role == "check box" }

    func has(_ state: State) -> Bool { states >> UInt64(state.rawValue) & 1 == 1 }

    /// It and all below it that are visible, in the order of the tree.
    var all: [ScreenElement] { has(.visible) ? [self] + children.flatMap(\.all) : [] }

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

    /// Reads the tree of a widget. Widgets that go meanwhile are left out.
    static func read(_ bus: Bus, _ sender: String, _ path: ObjectPath) async throws -> ScreenElement? {
        let proxy = Proxy(bus, try BusName(sender), path)
        do throws(DBusError) {
            let name = try await proxy.get(Accessible.title)
            let role = try await proxy.call(Accessible.getRoleName)
            let states = try await proxy.call(Accessible.getState)
            let bits = states.enumerated().reduce(UInt64(0)) { $0 | UInt64($1.element) << UInt64(32 * $1.offset) }
            var element = ScreenElement(proxy: proxy, role: role, name: name, states: bits)
            // Applications have no state.
            guard bits == 0 || element.has(.visible) else { return element }
            for child in try await proxy.call(Accessible.getChildren) {
                let (sender, path) = child.elements
                if let child = try? await read(bus, sender, path) { element.children.append(child) }
            }
            return element
        } catch {
            return nil
        }
    }
}
