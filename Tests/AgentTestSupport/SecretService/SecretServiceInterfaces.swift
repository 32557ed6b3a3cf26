import DBus

/// The interfaces of the Secret Service API Draft 0.2, as far as its clients use them.
enum SecretServiceInterface: Interface {
    static let name: InterfaceName = "org.freedesktop.Secret.Service"
    static let busName: BusName = "org.freedesktop.secrets"
    static let path: ObjectPath = "/org/freedesktop/secrets"

    static let openSession = Method(
        "OpenSession",
        in: (Argument<String>("algorithm"), Argument<Value>("input")),
        out: (Argument<Value>("output"), Argument<ObjectPath>("result"))
    )
    static let createCollection = Method(
        "CreateCollection",
        in: (Argument<[String: Value]>("properties"), Argument<String>("alias")),
        out: (Argument<ObjectPath>("collection"), Argument<ObjectPath>("prompt"))
    )
    static let searchItems = Method(
        "SearchItems",
        in: (Argument<[String: String]>("attributes")),
        out: (Argument<[ObjectPath]>("unlocked"), Argument<[ObjectPath]>("locked"))
    )
    static let unlock = Method(
        "Unlock",
        in: (Argument<[ObjectPath]>("objects")),
        out: (Argument<[ObjectPath]>("unlocked"), Argument<ObjectPath>("prompt"))
    )
    static let readAlias = Method(
        "ReadAlias",
        in: (Argument<String>("name")),
        out: (Argument<ObjectPath>("collection"))
    )
    static let collections = Property<[ObjectPath]>("Collections", .read)
    static let members: [any Member] = [openSession, createCollection, searchItems, unlock, readAlias, collections]
}

enum SecretCollectionInterface: Interface {
    static let name: InterfaceName = "org.freedesktop.Secret.Collection"
    static let createItem = Method(
        "CreateItem",
        in: (Argument<[String: Value]>("properties"), Argument<Secret>("secret"), Argument<Bool>("replace")),
        out: (Argument<ObjectPath>("item"), Argument<ObjectPath>("prompt"))
    )
    static let locked = Property<Bool>("Locked", .read)
    static let members: [any Member] = [createItem, locked]
}

enum SecretItemInterface: Interface {
    static let name: InterfaceName = "org.freedesktop.Secret.Item"
    static let getSecret = Method(
        "GetSecret",
        in: (Argument<ObjectPath>("session")),
        out: (Argument<Secret>("secret"))
    )
    static let delete = Method("Delete", in: (), out: (Argument<ObjectPath>("prompt")))
    /// In seconds since the Unix epoch.
    static let modified = Property<UInt64>("Modified", .read)
    static let members: [any Member] = [getSecret, delete, modified]
}

enum SecretSessionInterface: Interface {
    static let name: InterfaceName = "org.freedesktop.Secret.Session"
    static let close = Method("Close", in: (), out: ())
    static let members: [any Member] = [close]
}

enum SecretPromptInterface: Interface {
    static let name: InterfaceName = "org.freedesktop.Secret.Prompt"
    static let prompt = Method("Prompt", in: (Argument<String>("window-id")), out: ())
    static let dismiss = Method("Dismiss", in: (), out: ())
    static let completed = Signal("Completed", (Argument<Bool>("dismissed"), Argument<Value>("result")))
    static let members: [any Member] = [prompt, dismiss, completed]
}

/// A secret as D-Bus carries it: session, initialization vector, encrypted value, and content type.
typealias Secret = Structure<ObjectPath, [UInt8], [UInt8], String>
