import Sandbox
import TestSupport

/// The text of configurations.
enum AgentConfiguration {
    /// An account with a token that a sandbox accepts until it changes them; without one, the text may go on with
    /// another.
    static func account(
        _ name: String = "work",
        user: String = "anna",
        url: String = Sandbox.current.baseURL,
        hasToken: Bool = true
    ) -> String {
        let token = SandboxToken.make(entityID: user, expiresAt: 4_102_444_800)
        return """
            [accounts.\(name)]
            provider = "suprsend"
            public_key = "SS.PUBK.sandbox"
            distinct_id = "\(user)"
            hub_url = "\(url)"
            api_url = "\(url)"
            socket_url = "\(url)"

            """ + (hasToken ? "token_command = [\"echo\", \"\(token)\"]\n" : "")
    }
}
