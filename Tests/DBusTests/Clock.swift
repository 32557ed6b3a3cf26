import DBus

/// The interface the tests export and call.
enum Clock: Interface {
    static let name: InterfaceName = "org.example.Clock1"
    static let setAlarm = Method(
        "SetAlarm",
        in: (Argument<Int64>("time"), Argument<String>("label")),
        out: (Argument<UInt32>("id"))
    )
    static let stop = Method("Stop", in: (), out: ())
    static let who = Method("Who", in: (), out: (Argument<String>("caller")))
    static let rang = Signal("Rang", (Argument<UInt32>("id")))
    static let alarms = Property<UInt32>("Alarms", .read, emitsChange: .value)
    static let label = Property<String>("Label", .readWrite)
    static let zone = Property<UInt32>("Zone", .readWrite, emitsChange: .invalidates)
    static let model = Property<String>("Model", .read, emitsChange: .const)
    static let ticks = Property<UInt32>("Ticks", .read, emitsChange: .none)
    static let members: [any Member] = [setAlarm, stop, who, rang, alarms, label, zone, model, ticks]

    static let path: ObjectPath = "/org/example/Clock1"
    static let busName: BusName = "org.example.Clock"

    /// An object with every property set and no handler.
    static func object(at path: ObjectPath = path) -> ExportedObject {
        var object = ExportedObject(path)
        object.set(alarms, 0)
        object.set(label, "tea")
        object.set(zone, 1)
        object.set(model, "brass")
        object.set(ticks, 0)
        return object
    }
}
