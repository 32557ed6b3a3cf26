/// A signed request for a token, to be exchanged once at Ably (Ably's documentation, "Token requests").
package struct TokenRequest: Sendable, Equatable {
    package let keyName: String
    /// The signed object. It is sent unchanged, unknown members included. A secret.
    package let json: JSONValue

    /// nil: it names no key.
    package init?(_ json: JSONValue) {
        guard let keyName = json["keyName"]?.shortText, !keyName.isEmpty else { return nil }
        self.keyName = keyName
        self.json = json
    }
}

/// Without the signature.
extension TokenRequest: CustomStringConvertible {
    package var description: String { "a request for a token of the key \(keyName)" }
}
