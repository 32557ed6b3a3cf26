import FoundationEssentials

/// The release program of the agent, and how it is started.
struct AgentProgram {
    /// The name of the one account.
    static let account = "work"

    let path: String
    let directory: String

    /// Starts an agent whose one account is at the service behind `port`, without the state of earlier ones.
    ///
    /// - Parameter groupAbove: More popups than this within two seconds become one.
    func start(port: Int, groupAbove: Int = 3) throws -> Child {
        let service = "http://127.0.0.1:\(port)"
        let configuration = """
            [accounts.\(Self.account)]
            provider = "suprsend"
            public_key = "SS.PUBK.sandbox"
            distinct_id = "user-1"
            hub_url = "\(service)"
            api_url = "\(service)"
            socket_url = "\(service)"

            [popups]
            group_above = \(groupAbove)

            """
        try? FileManager.default.removeItem(atPath: "\(directory)/state")
        let file = "\(directory)/config.toml"
        try Data(configuration.utf8).write(to: URL(filePath: file))
        return try Child(path, ["--config", file], log: "\(directory)/agent.log")
    }
}
