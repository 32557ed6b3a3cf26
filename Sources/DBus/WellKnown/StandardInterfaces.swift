/// `org.freedesktop.DBus.Peer`: every connection answers it, at every path.
public enum PeerInterface: Interface {
    /// `org.freedesktop.DBus.Peer`
    public static let name: InterfaceName = "org.freedesktop.DBus.Peer"
    /// Answers.
    public static let ping = Method("Ping", in: (), out: ())
    /// The machine's id, 32 hexadecimal digits.
    public static let getMachineID = Method("GetMachineId", in: (), out: (Argument<String>("machine_uuid")))
    /// All of them.
    public static let members: [any Member] = [ping, getMachineID]
}

/// `org.freedesktop.DBus.Introspectable`.
public enum IntrospectableInterface: Interface {
    /// `org.freedesktop.DBus.Introspectable`
    public static let name: InterfaceName = "org.freedesktop.DBus.Introspectable"
    /// The object's description: see ``NodeDescription``.
    public static let introspect = Method("Introspect", in: (), out: (Argument<String>("xml_data")))
    /// All of them.
    public static let members: [any Member] = [introspect]
}

/// `org.freedesktop.DBus.Properties`.
public enum PropertiesInterface: Interface {
    /// `org.freedesktop.DBus.Properties`
    public static let name: InterfaceName = "org.freedesktop.DBus.Properties"
    /// One property.
    public static let get = Method(
        "Get",
        in: (Argument<String>("interface_name"), Argument<String>("property_name")),
        out: (Argument<Value>("value"))
    )
    /// All readable properties of an interface; of all interfaces for an empty name.
    public static let getAll = Method(
        "GetAll",
        in: (Argument<String>("interface_name")),
        out: (Argument<[String: Value]>("properties"))
    )
    /// Sets one property.
    public static let set = Method(
        "Set",
        in: (Argument<String>("interface_name"), Argument<String>("property_name"), Argument<Value>("value")),
        out: ()
    )
    /// Properties have new values, or have lost theirs and have to be asked for.
    public static let propertiesChanged = Signal(
        "PropertiesChanged",
        (
            Argument<String>("interface_name"), Argument<[String: Value]>("changed_properties"),
            Argument<[String]>("invalidated_properties")
        )
    )
    /// All of them.
    public static let members: [any Member] = [get, getAll, set, propertiesChanged]
}

/// `org.freedesktop.DBus.ObjectManager`.
public enum ObjectManagerInterface: Interface {
    /// `org.freedesktop.DBus.ObjectManager`
    public static let name: InterfaceName = "org.freedesktop.DBus.ObjectManager"
    /// Every object below, with its interfaces and their readable properties.
    public static let getManagedObjects = Method(
        "GetManagedObjects",
        in: (),
        out: (Argument<[ObjectPath: [String: [String: Value]]]>("objects"))
    )
    /// An object appeared, or has more interfaces.
    public static let interfacesAdded = Signal(
        "InterfacesAdded",
        (Argument<ObjectPath>("object"), Argument<[String: [String: Value]]>("interfaces"))
    )
    /// An object is gone, or has fewer interfaces.
    public static let interfacesRemoved = Signal(
        "InterfacesRemoved",
        (Argument<ObjectPath>("object"), Argument<[String]>("interfaces"))
    )
    /// All of them.
    public static let members: [any Member] = [getManagedObjects, interfacesAdded, interfacesRemoved]
}

/// `org.freedesktop.DBus`: the part of the bus's own interface that programs use.
public enum BusInterface: Interface {
    /// `org.freedesktop.DBus`
    public static let name: InterfaceName = "org.freedesktop.DBus"
    /// The bus's object.
    public static let path: ObjectPath = "/org/freedesktop/DBus"
    /// The first call of every connection: gives it its unique name.
    public static let hello = Method("Hello", in: (), out: (Argument<String>("unique_name")))
    /// Asks for a name: see ``NameReply``.
    public static let requestName = Method(
        "RequestName",
        in: (Argument<String>("name"), Argument<UInt32>("flags")),
        out: (Argument<UInt32>("reply"))
    )
    /// Gives a name back.
    public static let releaseName = Method(
        "ReleaseName",
        in: (Argument<String>("name")),
        out: (Argument<UInt32>("reply"))
    )
    /// The unique name of a name's owner.
    public static let getNameOwner = Method(
        "GetNameOwner",
        in: (Argument<String>("name")),
        out: (Argument<String>("owner"))
    )
    /// The bus itself: its globally unique id, which it has until it ends.
    public static let getID = Method("GetId", in: (), out: (Argument<String>("id")))
    /// Asks for signals.
    public static let addMatch = Method("AddMatch", in: (Argument<String>("rule")), out: ())
    /// Takes that back.
    public static let removeMatch = Method("RemoveMatch", in: (Argument<String>("rule")), out: ())
    /// Every name that has an owner.
    public static let listNames = Method("ListNames", in: (), out: (Argument<[String]>("names")))
    /// Every name for which the bus can start an owner.
    public static let listActivatableNames = Method("ListActivatableNames", in: (), out: (Argument<[String]>("names")))
    /// A name has a new owner, the old one or the new one being empty.
    public static let nameOwnerChanged = Signal(
        "NameOwnerChanged",
        (Argument<String>("name"), Argument<String>("old_owner"), Argument<String>("new_owner"))
    )
    /// This connection does not own the name any more.
    public static let nameLost = Signal("NameLost", (Argument<String>("name")))
    /// This connection owns the name.
    public static let nameAcquired = Signal("NameAcquired", (Argument<String>("name")))
    /// The ones above.
    public static let members: [any Member] = [
        hello, requestName, releaseName, getID, getNameOwner, addMatch, removeMatch, listNames, listActivatableNames,
        nameOwnerChanged, nameLost, nameAcquired,
    ]
}
