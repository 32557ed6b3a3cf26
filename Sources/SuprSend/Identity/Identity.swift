import ClientKit
import Synchronization

/// Who requests are for. Copies share the user token.
package struct Identity: Sendable {
    let distinctID: String
    /// The active tenant; nil: none was named.
    var tenantID: String?
    let tokens: UserTokenSource

    /// Throws `invalidArgument` for an empty id.
    init(
        distinctID: String,
        tenantID: String?,
        token: UserToken?,
        provider: UserTokenProvider?,
        workspace: Workspace
    ) throws(SuprSendError) {
        try Argument.check(distinctID, named: "distinct id")
        if let tenantID { try Argument.check(tenantID, named: "tenant id") }
        self.distinctID = distinctID
        self.tenantID = tenantID
        tokens = UserTokenSource(provider: provider, token: token, distinctID: distinctID, workspace: workspace)
    }
}

/// The person a client is identified as, if any: shared by its parts.
package final class ActiveIdentity: Sendable {
    private let identity = Mutex<Identity?>(nil)

    /// Nil: nobody is identified.
    var current: Identity? { identity.withLock { $0 } }

    func set(_ new: Identity?) { identity.withLock { $0 = new } }

    /// Throws `invalidState` when nobody is identified.
    func required() throws(SuprSendError) -> Identity {
        guard let identity = current else {
            throw .validation(
                .invalidState,
                "No person is identified; call identify() first, then repeat the call."
            )
        }
        return identity
    }
}
