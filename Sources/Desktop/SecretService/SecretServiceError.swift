package import DBus

/// Why the Secret Service did not give or take a secret. Never contains a secret.
package enum SecretServiceError: Error, Sendable, Equatable, CustomStringConvertible {
    /// Nobody owns the name, and nothing can be started for it.
    case noService
    /// The service does not know the encryption that is spoken here.
    case noEncryption
    /// No item has these attributes.
    case noItem
    /// So many items have these attributes.
    case severalItems(Int)
    /// The item is locked, and asking the person was not wanted.
    case locked
    /// The person closed the prompt without unlocking.
    case dismissed
    /// Nobody answered the prompt in time.
    case unanswered
    /// The service ended, or another one took its place, while its prompt was open.
    case ended
    /// What the service sent was not encrypted with the key that was agreed on.
    case undecipherable
    /// The service's own error.
    case service(DBusError)

    package var description: String {
        switch self {
        case .noService: "There is no Secret Service in this session, such as GNOME Keyring, KWallet or KeePassXC."
        case .noEncryption:
            "The Secret Service of this session cannot encrypt what it sends (\(SecretCipher.name)), so it is not asked."
        case .noItem: "The Secret Service has no item with these attributes."
        case .severalItems(let count):
            "The Secret Service has \(count) items with these attributes; one has to be meant."
        case .locked: "The keyring with the item is locked."
        case .dismissed: "The keyring stayed locked: its prompt was dismissed."
        case .unanswered: "The keyring stayed locked: its prompt was not answered in time."
        case .ended: "The Secret Service ended while its prompt was open."
        case .undecipherable: "The Secret Service sent something that cannot be decrypted."
        case .service(let error):
            "The Secret Service failed: \(error.message.isEmpty ? error.name.text : error.message)"
        }
    }
}
