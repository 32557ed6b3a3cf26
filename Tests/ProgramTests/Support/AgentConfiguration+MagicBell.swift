import Sandbox
import TestSupport
import Testing

extension AgentConfiguration {
    /// How the account proves who its user is.
    enum MagicBellLogin {
        /// The API key of a sandbox, with an external id or an e-mail address.
        case user(String)
        /// A user token.
        case token(String)
        /// What a company's backend gives after a sign-in, whose keys follow.
        case browser
    }

    /// An account at a simulated MagicBell; the text may go on with others.
    ///
    /// - Parameter realtime: The connection that carries the events; nil: the one that the service names.
    static func magicBell(
        _ name: String = "work",
        _ login: MagicBellLogin = .user("user-1"),
        realtime: String? = nil,
        keys: String = "",
        sandbox: Sandbox = .current
    ) -> String {
        magicBell(name, login, realtime: realtime, keys: keys, url: sandbox.baseURL)
    }

    /// An account at a simulated MagicBell that may not run yet.
    static func magicBell(
        _ name: String,
        _ login: MagicBellLogin,
        realtime: String? = nil,
        keys: String = "",
        url: String
    ) -> String {
        let credentials =
            switch login {
            case .user(let user):
                "api_key = \"pk_sandbox\"\n\(user.contains("@") ? "email" : "external_id") = \"\(user)\""
            case .token(let token): "user_token_command = [\"echo\", \"\(token)\"]"
            case .browser: ""
            }
        return """
            [accounts.\(name)]
            provider = "magicbell"
            \(credentials)
            api_url = "\(url)"
            socket_url = "\(url)"
            ably_rest_url = "\(url)"
            ably_realtime_url = "\(url)"

            """ + (realtime.map { "realtime = \"\($0)\"\n" } ?? "") + (keys.isEmpty ? "" : keys + "\n")
    }
}

extension BuiltAgent {
    /// Waits until the simulated MagicBell has a notification of this user in a state.
    func wait(
        for id: String,
        of user: String = "user-1",
        at sandbox: Sandbox = .current,
        until fits: @escaping @Sendable (StoredNotification?) -> Bool
    ) async throws {
        try await sandbox.wait { state in
            let service = state.magicBell.service
            let inbox = service.users.named(user).map { service[$0.id] } ?? SimulatedInbox()
            return fits(inbox[id]) ? true : nil
        }
    }
}
