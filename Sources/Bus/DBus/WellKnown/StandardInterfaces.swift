/// `org.freedesktop.DBus.Peer`: every connection answers it, at every path.
public enum PeerInterface: Interface {
    /// `org.freedesktop.DBus.Peer`
    public static let name: InterfaceName = "org.freedesktop.DBus.Peer"
    /// Does nothing but reply.
    public static let ping = Method("Ping", in: (), out: ())
    /// The machine id, 32 hexadecimal digits.
    public static let getMachineID = Method("GetMachineId", in: (), out: (Argument<String>("machine_uuid")))
    /// All members.
    public static let members: [any Member] = [ping, getMachineID]
}

/// `org.freedesktop.DBus.Introspectable`.
public enum IntrospectableInterface: Interface {
    /// `org.freedesktop.DBus.Introspectable`
    public static let name: InterfaceName = "org.freedesktop.DBus.Introspectable"
    /// The introspection data of the object: see ``NodeDescription``.
    public static let introspect = Method("Introspect", in: (), out: (Argument<String>("xml_data")))
    /// All members.
    public static let members: [any Member] = [introspect]
}

/// `org.freedesktop.DBus.Properties`.
public enum PropertiesInterface: Interface {
    /// `org.freedesktop.DBus.Properties`
    public static let name: InterfaceName = "org.freedesktop.DBus.Properties"
    /// Gets one property.
    public static let get = Method(
        "Get",
        in: (Argument<String>("interface_name"), Argument<String>("property_name")),
        out: (Argument<Value>("value"))
    )
    /// Gets all readable properties of an interface; of all interfaces for an empty name.
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
    /// Properties have new values, or are invalidated and must be read again.
    public static let propertiesChanged = Signal(
        "PropertiesChanged",
        (
            Argument<String>("interface_name"), Argument<[String: Value]>("changed_properties"),
            Argument<[String]>("invalidated_properties")
        )
    )
    /// All members.
    public static let members: [any Member] = [get, getAll, set, propertiesChanged]
}

/// `org.freedesktop.DBus.ObjectManager`.
public enum ObjectManagerInterface: Interface {
    /// `org.freedesktop.DBus.ObjectManager`
    public static let name: InterfaceName = "org.freedesktop.DBus.ObjectManager"
    /// Lists every object below, with its interfaces and their readable properties.
    public static let getManagedObjects = Method(
        "GetManagedObjects",
        in: (),
        out: (Argument<[ObjectPath: [String: [String: Value]]]>("objects"))
    )
    /// An object appeared or has additional interfaces.
    public static let interfacesAdded = Signal(
        "InterfacesAdded",
        (Argument<ObjectPath>("object"), Argument<[String: [String: Value]]>("interfaces"))
    )
    /// An object vanished or has fewer interfaces.
    public static let interfacesRemoved = Signal(
        "InterfacesRemoved",
        (Argument<ObjectPath>("object"), Argument<[String]>("interfaces"))
    )
    /// All members.
    public static let members: [any Member] = [getManagedObjects, interfacesAdded, interfacesRemoved]
}

/// `org.freedesktop.DBus`: the part of the bus's interface that clients use.
public enum BusInterface: Interface {
    /// `org.freedesktop.DBus`
    public static let name: InterfaceName = "org.freedesktop.DBus"
    /// The bus's object.
    public static let path: ObjectPath = "/org/freedesktop/DBus"
    /// The first call of every connection. Returns its unique name.
    public static let hello = Method("Hello", in: (), out: (Argument<String>("unique_name")))
    /// Requests a name: see ``NameReply``.
    public static let requestName = Method(
        "RequestName",
        in: (Argument<String>("name"), Argument<UInt32>("flags")),
        out: (Argument<UInt32>("reply"))
    )
    /// Releases a name.
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
    /// The process id of a name's owner.
    public static let getConnectionUnixProcessID = Method(
        "GetConnectionUnixProcessID",
        in: (Argument<String>("name")),
        out: (Argument<UInt32>("process"))
    )
    /// The user id of a name's owner.
    public static let getConnectionUnixUser = Method(
        "GetConnectionUnixUser",
        in: (Argument<String>("name")),
        out: (Argument<UInt32>("user"))
    )
    /// Starts the service of a name, if one is installed. Replies when the name has an owner: 1, or 2 if it had one.
    public static let startServiceByName = Method(
        "StartServiceByName",
        in: (Argument<String>("name"), Argument<UInt32>("flags")),
        out: (Argument<UInt32>("reply"))
    )
    /// The globally unique id of the bus, constant until the bus ends.
    public static let getID = Method("GetId", in: (), out: (Argument<String>("id")))
    /// Adds a match rule.
    public static let addMatch = Method("AddMatch", in: (Argument<String>("rule")), out: ())
    /// Removes a match rule.
    public static let removeMatch = Method("RemoveMatch", in: (Argument<String>("rule")), out: ())
    /// Lists every name that has an owner.
    public static let listNames = Method("ListNames", in: (), out: (Argument<[String]>("names")))
    /// Lists every name for which the bus can start a service.
    public static let listActivatableNames = Method("ListActivatableNames", in: (), out: (Argument<[String]>("names")))
    /// The owner of a name changed; an empty owner means none.
    public static let nameOwnerChanged = Signal(
        "NameOwnerChanged",
        (Argument<String>("name"), Argument<String>("old_owner"), Argument<String>("new_owner"))
    )
    /// This connection no longer owns the name.
    public static let nameLost = Signal("NameLost", (Argument<String>("name")))
    /// This connection now owns the name.
    public static let nameAcquired = Signal("NameAcquired", (Argument<String>("name")))
    /// All members above.
    public static let members: [any Member] = [
        hello, requestName, releaseName, getID, getNameOwner, addMatch, removeMatch, listNames, listActivatableNames,
        getConnectionUnixProcessID, getConnectionUnixUser, startServiceByName, nameOwnerChanged, nameLost, nameAcquired,
    ]
}
