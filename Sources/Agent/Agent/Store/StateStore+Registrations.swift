/// The registrations of accounts at their services.
extension StateStore {
    /// The registration of an inbox's service from an earlier run, see ``setRegistration(_:of:)``; nil: there is none.
    package func registration(of owner: String) throws(StoreError) -> [String]? {
        let rows = try database?.query("SELECT contents FROM registrations WHERE owner = ?", .text(owner)) ?? []
        return rows.first.map { TextList.decode($0[0].text) }
    }

    /// Keeps what an inbox's service has registered. It may contain secrets: the file is the user's own.
    ///
    /// - Parameter contents: nil: nothing is registered.
    package func setRegistration(_ contents: [String]?, of owner: String) throws(StoreError) {
        try write(durably: false) { (database) throws(StoreError) in
            guard let contents else {
                return try database.run("DELETE FROM registrations WHERE owner = ?", .text(owner))
            }
            let insertion = "INSERT OR REPLACE INTO registrations (owner, contents) VALUES (?, ?)"
            try database.run(insertion, .text(owner), .text(TextList.encode(contents)))
        }
    }
}
