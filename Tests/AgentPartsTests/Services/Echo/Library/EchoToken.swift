import ClientKit
import FoundationEssentials

/// A user token of Echo. Its expiry is unknown: the service refuses it then.
struct EchoToken: ClaimedToken {
    let rawValue: String
    var expiresOn: Date? { nil }
    var claimedUser: String? { nil }

    init(_ text: String) throws(EchoError) {
        guard Self.isToken(text) else {
            throw EchoError(kind: .invalidArgument, message: "A token of Echo begins with \"echo-\".")
        }
        rawValue = text
    }

    static func isToken(_ text: String) -> Bool { text.hasPrefix("echo-") }
}
