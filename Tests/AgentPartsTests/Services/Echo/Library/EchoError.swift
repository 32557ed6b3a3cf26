import ClientKit

@testable import Agent

/// An error of Echo: a kind for code, and a sentence for the user.
struct EchoError: AdvisedError {
    enum Kind: LibraryErrorKind {
        case invalidArgument, invalidState, unauthorized, forbidden, notFound, rejected, rateLimited, serverFailure
        case unreachable, unexpectedAnswer, cancelled
    }

    static let service = "Echo"
    static let credentialsAdvice = "Check the account's token."
    static let permissionAdvice = "Check the account's user, and that its token is of that user."

    var kind: Kind
    var message: String
    var status: Int?
    var retryAfter: Duration?
    var isTooLarge = false
    var isTooSlow = false
    /// The failed exchange, if there was no response.
    var exchange: TransportError?

    init(kind: Kind, message: String, status: Int?, retryAfter: Duration?) {
        (self.kind, self.message, self.status, self.retryAfter) = (kind, message, status, retryAfter)
    }

    static func failed(_ exchange: TransportError) -> EchoError {
        var error = EchoError(exchange)
        error.exchange = exchange
        return error
    }
}
