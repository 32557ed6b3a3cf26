package import DBus

/// `org.freedesktop.Secret.Service`, the members we call (Secret Service API Draft 0.2).
package enum SecretServiceInterface: Interface {
    package static let name: InterfaceName = "org.freedesktop.Secret.Service"
    package static let busName: BusName = "org.freedesktop.secrets"
    package static let path: ObjectPath = "/org/freedesktop/secrets"

    /// Opens a session and agrees on the encryption of its secrets.
    package static let openSession = Method(
        "OpenSession",
        in: (Argument<String>("algorithm"), Argument<Value>("input")),
        out: (Argument<Value>("output"), Argument<ObjectPath>("result"))
    )
    /// Creates a collection. The collection is `/` if a prompt must be shown first; the prompt is `/` if none is
    /// needed.
    package static let createCollection = Method(
        "CreateCollection",
        in: (Argument<[String: Value]>("properties"), Argument<String>("alias")),
        out: (Argument<ObjectPath>("collection"), Argument<ObjectPath>("prompt"))
    )
    /// Finds the items that have all these attributes.
    package static let searchItems = Method(
        "SearchItems",
        in: (Argument<[String: String]>("attributes")),
        out: (Argument<[ObjectPath]>("unlocked"), Argument<[ObjectPath]>("locked"))
    )
    /// Unlocks items or collections. Those that need a prompt are unlocked when the prompt completes.
    package static let unlock = Method(
        "Unlock",
        in: (Argument<[ObjectPath]>("objects")),
        out: (Argument<[ObjectPath]>("unlocked"), Argument<ObjectPath>("prompt"))
    )
    /// The collection with an alias such as `default`; `/` for none.
    package static let readAlias = Method(
        "ReadAlias",
        in: (Argument<String>("name")),
        out: (Argument<ObjectPath>("collection"))
    )
    /// Every collection, locked or not.
    package static let collections = Property<[ObjectPath]>("Collections", .read)
    package static let members: [any Member] = [
        openSession, createCollection, searchItems, unlock, readAlias, collections,
    ]
}

/// `org.freedesktop.Secret.Collection`, the members we use.
package enum SecretCollectionInterface: Interface {
    package static let name: InterfaceName = "org.freedesktop.Secret.Collection"
    package static let createItem = Method(
        "CreateItem",
        in: (Argument<[String: Value]>("properties"), Argument<Secret>("secret"), Argument<Bool>("replace")),
        out: (Argument<ObjectPath>("item"), Argument<ObjectPath>("prompt"))
    )
    package static let locked = Property<Bool>("Locked", .read)
    package static let members: [any Member] = [createItem, locked]
}

/// `org.freedesktop.Secret.Item`, the members we call.
package enum SecretItemInterface: Interface {
    package static let name: InterfaceName = "org.freedesktop.Secret.Item"
    package static let getSecret = Method(
        "GetSecret",
        in: (Argument<ObjectPath>("session")),
        out: (Argument<Secret>("secret"))
    )
    /// Deletes the item. The prompt is `/` if none is needed.
    package static let delete = Method("Delete", in: (), out: (Argument<ObjectPath>("prompt")))
    /// In seconds since the Unix epoch.
    package static let modified = Property<UInt64>("Modified", .read)
    package static let members: [any Member] = [getSecret, delete, modified]
}

/// `org.freedesktop.Secret.Session`
package enum SecretSessionInterface: Interface {
    package static let name: InterfaceName = "org.freedesktop.Secret.Session"
    package static let close = Method("Close", in: (), out: ())
    package static let members: [any Member] = [close]
}

/// `org.freedesktop.Secret.Prompt`
package enum SecretPromptInterface: Interface {
    package static let name: InterfaceName = "org.freedesktop.Secret.Prompt"
    package static let prompt = Method("Prompt", in: (Argument<String>("window-id")), out: ())
    package static let dismiss = Method("Dismiss", in: (), out: ())
    package static let completed = Signal("Completed", (Argument<Bool>("dismissed"), Argument<Value>("result")))
    package static let members: [any Member] = [prompt, dismiss, completed]
}

/// A secret as D-Bus carries it: encrypted with the session's key.
package struct Secret: DBusConvertible {
    package var session: ObjectPath
    package var parameters: [UInt8]
    package var value: [UInt8]
    package var contentType: String

    package init(session: ObjectPath, parameters: [UInt8], value: [UInt8], contentType: String = "text/plain") {
        self.session = session
        self.parameters = parameters
        self.value = value
        self.contentType = contentType
    }

    package init(dbus fields: Structure<ObjectPath, [UInt8], [UInt8], String>) {
        (session, parameters, value, contentType) = fields.elements
    }

    package var dbusRepresentation: Structure<ObjectPath, [UInt8], [UInt8], String> {
        Structure(session, parameters, value, contentType)
    }
}
