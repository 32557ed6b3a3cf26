package import ClientKit

/// Why a request has no answer of the service.
package enum RequestFailure: Error, Sendable, Hashable {
    /// The service refused it.
    case refused
    /// The connection broke before or after the service performed it.
    case broken
    /// A gateway answered.
    case gateway(status: Int)
    case rateLimited(retryAfter: Duration)
    /// The token is not valid.
    case unauthorized
    /// The client ended its work meanwhile.
    case cancelled

    /// Whether the service may have performed the request.
    package var isOutcomeUnknown: Bool {
        switch self {
        case .broken, .gateway, .cancelled: true
        case .refused, .rateLimited, .unauthorized: false
        }
    }
}

extension LibraryError {
    /// The error of a library for this failure.
    package init(_ failure: RequestFailure) {
        let (kind, status): (Kind, Int?) =
            switch failure {
            case .refused: (.rejected, 422)
            case .broken: (.unreachable, nil)
            case .gateway(let status): (.serverFailure, status)
            case .rateLimited: (.rateLimited, 429)
            case .unauthorized: (.unauthorized, 401)
            case .cancelled: (.cancelled, nil)
            }
        var pause: Duration?
        if case .rateLimited(let retryAfter) = failure { pause = retryAfter }
        self.init(kind: kind, message: "The simulated request failed.", status: status, retryAfter: pause)
    }
}
