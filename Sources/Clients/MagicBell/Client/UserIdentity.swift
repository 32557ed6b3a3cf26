import CSHA256
import FoundationEssentials

/// Who the user is at a project: the id that the sender uses for the user, an e-mail address, or both.
///
/// The service creates a user at the first use, and an external id cannot be changed later. It looks at the external
/// id first (MagicBell's documentation, "User identification"): use the same form everywhere for one user.
public struct UserIdentity: Sendable, Hashable {
    /// The e-mail address, in lower case; nil: none.
    public let email: String?
    /// The id that the sender uses for the user; nil: none.
    public let externalID: String?

    /// Identifies a user by `externalID`, by `email`, or by both.
    ///
    /// - Parameters:
    ///   - email: Its case does not matter.
    ///   - externalID: Its case matters.
    /// - Throws: `invalidArgument` if both are nil, or for text that a header cannot contain.
    public init(email: String? = nil, externalID: String? = nil) throws(MagicBellError) {
        guard email != nil || externalID != nil else {
            throw MagicBellError(.invalidArgument, "The user has neither an e-mail address nor an external id.")
        }
        if let email { try ArgumentCheck.checkHeader(email, named: "user's e-mail address") }
        if let externalID { try ArgumentCheck.checkHeader(externalID, named: "user's external id") }
        self.email = email?.lowercased()
        self.externalID = externalID
    }

    /// The user's identifier at the service: the external id, without one the e-mail address.
    public var identifier: String { externalID ?? email ?? "" }

    /// The HMAC that a project with HMAC authentication asks for (MagicBell's documentation, "HMAC authentication"):
    /// HMAC-SHA256 of ``identifier`` with the project's API secret, in base64.
    ///
    /// Server-side use only: an app must not contain the secret. Its backend computes the value and passes it to the
    /// app.
    public func hmac(secret: String) -> String {
        let (key, message) = (Array(secret.utf8), Array(identifier.utf8))
        var digest = [UInt8](repeating: 0, count: Int(CSHA256_LENGTH))
        // Fails only if memory is exhausted.
        precondition(csha256_hmac(key, key.count, message, message.count, &digest))
        return Data(digest).base64EncodedString()
    }
}
