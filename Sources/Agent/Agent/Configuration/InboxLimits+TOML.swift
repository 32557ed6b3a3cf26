extension InboxLimits {
    /// Reads the limits from the table `[inbox]`.
    init(_ table: inout ConfigurationTable) throws(ConfigurationError) {
        self.init()
        count = try table.integer("keep", in: 0...100_000) ?? count
        days = try table.integer("keep_days", in: 1...3_650) ?? days
    }
}
