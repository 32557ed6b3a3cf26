import AgentTestSupport

/// The state file of an agent, as another program reads and writes it.
struct StateFile {
    let path: String

    init(path: String) { self.path = path }

    /// That of an agent of ``BuiltAgent/keepingState(beside:waitsForName:environment:_:)``.
    init(beside configuration: TemporaryFile) {
        path = configuration.directory + "/state/feedbell/feedbell.sqlite3"
    }

    /// Executes a statement of SQL.
    ///
    /// - Returns: The first number of its answer; nil: it has none, or the file or the table is not there yet.
    func number(_ statement: String) async throws -> Int? {
        let script = """
            import sqlite3, sys
            try: row = sqlite3.connect(f"file:{sys.argv[1]}?mode=rw", uri=True).execute(sys.argv[2]).fetchone()
            except sqlite3.OperationalError: row = None
            print(row[0] if row else "none")
            """
        return Int(try await Programs.output("python3", ["-c", script, path, statement]).dropLast())
    }
}
