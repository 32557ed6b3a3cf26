import Inbox

extension QuietHours {
    private enum LetThrough: String, CaseIterable {
        case critical
        case nothing
    }

    init(_ table: ConfigurationTable) throws(ConfigurationError) {
        var table = table
        let hours = try WeeklyHours(&table)
        let letThrough: LetThrough = try table.choice("let_through") ?? .nothing
        try table.finish()
        self.init(hours: hours, letsCriticalThrough: letThrough == .critical)
    }
}
