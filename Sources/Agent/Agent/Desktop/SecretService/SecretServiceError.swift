package import DBus

/// An operation of the Secret Service failed. Never contains a secret.
package enum SecretServiceError: Error, Sendable, Equatable, CustomStringConvertible {
    /// No program owns the name, and the bus cannot start one.
    case noService
    /// The service does not support ``SecretCipher``.
    case noEncryption
    /// No item has these attributes.
    case noItem
    /// This number of items has these attributes; exactly one is required.
    case severalItems(Int)
    /// The item is locked, and a prompt was not allowed.
    case locked
    /// The user closed the prompt without unlocking.
    case dismissed
    /// The prompt was not answered within ``SecretService/promptTimeout``.
    case unanswered
    /// The service ended or was replaced while its prompt was open.
    case ended
    /// The service sent data that was not encrypted with the agreed key.
    case undecipherable
    /// The service's own error.
    case service(DBusError)

    package var description: String {
        switch self {
        case .noService: "There is no Secret Service in this session (GNOME Keyring, KWallet or KeePassXC)."
        case .noEncryption:
            "The Secret Service of this session does not support encryption (\(SecretCipher.name)), so it is not used."
        case .noItem: "The Secret Service has no item with these attributes."
        case .severalItems(let count):
            "The Secret Service has \(count) items with these attributes. Use attributes that only one item has."
        case .locked: "The keyring with the item is locked."
        case .dismissed: "The keyring is locked: its prompt was dismissed, or this session cannot show it."
        case .unanswered: "The keyring is locked: its prompt was not answered in time."
        case .ended: "The Secret Service ended while its prompt was open."
        case .undecipherable: "Cannot decrypt the data of the Secret Service."
        case .service(let error):
            "The Secret Service failed: \(error.message.isEmpty ? error.name.text : error.message)"
        }
    }
}
