/// Single values of the agent.
extension StateStore {
    private static let pauseName = "pause"

    /// The end of the user's pause of popups in milliseconds since the Unix epoch, 0: until the user resumes them. nil:
    /// they are not paused.
    package func pause() throws(StoreError) -> Int64? { try value(of: Self.pauseName).flatMap { Int64($0) } }

    /// Records the user's pause of popups, see ``pause()``.
    package func setPause(_ end: Int64?) throws(StoreError) { try setValue(end.map(String.init), of: Self.pauseName) }

    func value(of name: String) throws(StoreError) -> String? {
        try database?.query("SELECT value FROM agent_values WHERE name = ?", .text(name)).first?.first?.text
    }

    /// - Parameter value: nil: the value is removed.
    func setValue(_ value: String?, of name: String) throws(StoreError) {
        try write(durably: false) { (database) throws(StoreError) in
            guard let value else { return try database.run("DELETE FROM agent_values WHERE name = ?", .text(name)) }
            let insertion = "INSERT OR REPLACE INTO agent_values (name, value) VALUES (?, ?)"
            try database.run(insertion, .text(name), .text(value))
        }
    }
}
