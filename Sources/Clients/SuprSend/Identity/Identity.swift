import ClientKit
import Synchronization

/// The user of a request. Copies share the user token.
package struct Identity: Sendable {
    let distinctID: String
    /// The active tenant; nil: none is set.
    var tenantID: String?
    let tokens: UserTokenSource

    /// Throws `invalidArgument` for an empty id.
    init(
        distinctID: String,
        tenantID: String?,
        token: UserToken?,
        provider: UserTokenProvider?,
        context: RequestContext
    ) throws(SuprSendError) {
        try ArgumentCheck.check(distinctID, named: "distinct id")
        if let tenantID { try ArgumentCheck.check(tenantID, named: "tenant id") }
        self.distinctID = distinctID
        self.tenantID = tenantID
        tokens = UserTokenSource(provider: provider, token: token, user: distinctID, context: context)
    }
}

/// The identified user of a client, if any: shared by its parts.
package final class ActiveIdentity: Sendable {
    private let identity = Mutex<Identity?>(nil)

    /// Nil: no user is identified.
    var current: Identity? { identity.withLock { $0 } }

    func set(_ new: Identity?) { identity.withLock { $0 = new } }

    /// Throws `invalidState` when no user is identified.
    func required() throws(SuprSendError) -> Identity {
        guard let identity = current else {
            throw .validation(
                .invalidState,
                "No user is identified; call identify() first, then repeat the call."
            )
        }
        return identity
    }
}
