import ServiceKit
import Store

extension KeptStore.Limits {
    /// Reads the table `[inbox]`.
    init(_ table: ConfigurationTable) throws(ConfigurationError) {
        var table = table
        self.init()
        count = try table.integer("keep", in: 0...100_000) ?? count
        days = try table.integer("keep_days", in: 1...3_650) ?? days
        try table.finish()
    }
}
