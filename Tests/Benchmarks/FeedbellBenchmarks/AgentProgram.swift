import FoundationEssentials

/// The release program of the agent, and how it is started.
struct AgentProgram {
    /// The name of the one account.
    static let account = "work"
    /// Its user.
    static let user = "user-1"

    let path: String
    let directory: String

    struct Options {
        /// More popups than this within two seconds become one.
        var groupAbove = 3
        /// The number of notifications that one request loads.
        var pageSize = 20
        /// The number of notifications of an inbox that are kept on this computer; nil: the usual one.
        var keep: Int?
        /// Whether it continues with the state of the previous one.
        var keepsState = false
        /// The user of each account, by the account's name.
        var users = [AgentProgram.account: AgentProgram.user]
        /// The users of accounts at MagicBell, by the account's name, and the port of that service.
        var magicBell: [String: String] = [:]
        var magicBellPort = 0
        /// A program and its arguments that run the agent.
        var launcher: [String] = []
    }

    /// Starts an agent whose accounts are at the service behind `port`.
    func start(port: Int, _ options: Options = Options()) throws -> Child {
        if !options.keepsState { try? FileManager.default.removeItem(atPath: "\(directory)/state") }
        let file = "\(directory)/config.toml"
        try Data(configuration(port: port, options).utf8).write(to: URL(filePath: file))
        let words = options.launcher + [path, "--config", file]
        return try Child(words[0], Array(words.dropFirst()), log: "\(directory)/agent.log")
    }

    private func configuration(port: Int, _ options: Options) -> String {
        let service = "http://127.0.0.1:\(port)"
        let accounts = options.users.map { name, user in
            """
            [accounts.\(name)]
            provider = "suprsend"
            public_key = "SS.PUBK.sandbox"
            distinct_id = "\(user)"
            page_size = \(options.pageSize)
            hub_url = "\(service)"
            api_url = "\(service)"
            socket_url = "\(service)"

            """
        }
        let other = "http://127.0.0.1:\(options.magicBellPort)"
        let others = options.magicBell.map { name, user in
            """
            [accounts.\(name)]
            provider = "magicbell"
            api_key = "pk_sandbox"
            external_id = "\(user)"
            page_size = \(options.pageSize)
            api_url = "\(other)"
            socket_url = "\(other)"
            ably_rest_url = "\(other)"
            ably_realtime_url = "\(other)"

            """
        }
        let kept = options.keep.map { "[inbox]\nkeep = \($0)\n" } ?? ""
        return (accounts + others).joined(separator: "\n") + "\n[popups]\ngroup_above = \(options.groupAbove)\n" + kept
    }
}
