package import ClientKit
package import Inbox

/// The error of a service's library, with what the user can check in the account.
package protocol AdvisedError: LibraryError {
    /// After a refusal of the credentials: a sentence.
    static var credentialsAdvice: String { get }
    /// After a refusal for lack of permission: a sentence.
    static var permissionAdvice: String { get }

    /// Whether the service has no such call.
    var isUnsupported: Bool { get }
}

extension AdvisedError {
    package var isUnsupported: Bool { false }
}

extension ServiceFailure {
    /// Maps an error of a library by its remedy.
    package init<Failure: AdvisedError>(_ error: Failure) {
        let kind: Kind =
            switch error.kind {
            case _ where error.isUnsupported: .unsupported
            case .unauthorized, .forbidden: .unauthorized
            case .notFound: .notFound
            case .invalidArgument, .invalidState, .rejected: .rejected
            default: .transient
            }
        let advice =
            switch error.kind {
            case .unauthorized where error.status != nil: " " + Failure.credentialsAdvice
            case .forbidden: " " + Failure.permissionAdvice
            case .unexpectedAnswer where error.isTooLarge:
                " A single notification is larger than that, so a smaller page_size does not help."
            default: ""
            }
        let stop = error.message.last?.isPunctuation == true ? "" : "."
        self.init(kind, error.message + stop + advice)
        if error.kind == .rateLimited { retryAfter = error.retryAfter }
    }

    /// The failure of a single change. `forbidden` rejects only this change: others may succeed, and must not wait for
    /// other credentials. `invalidState` (the library is not ready) is transient.
    package init(changing error: some AdvisedError) {
        self.init(error)
        switch error.kind {
        case .forbidden: kind = .rejected
        case .invalidState: kind = .transient
        default: break
        }
    }
}

extension HostCheck.Outcome {
    /// A host that was reached, and the error that its service or another server answered with; nil: none.
    package init(answer error: (some LibraryError)?) {
        switch error?.kind {
        case .unexpectedAnswer?: self = .foreign(error?.message ?? "", status: error?.status)
        case .serverFailure?: self = .serviceFailed(error?.message ?? "")
        case .rateLimited?: self = .rateLimited(error?.message ?? "")
        default: self = .answered
        }
    }
}
