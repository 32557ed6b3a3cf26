import Basics
import Inbox

extension PopupPolicy {
    init(_ table: ConfigurationTable) throws(ConfigurationError) {
        var table = table
        self.init()
        if let node = table.node("timeout") { timeout = try Timeout(node, table) }
        groupAbove = try table.integer("group_above", in: 1...1000) ?? groupAbove
        markSeen = try table.choice("mark_seen") ?? markSeen
        if let schemes = try table.strings("open_schemes") {
            for scheme in schemes where !Self.isScheme(scheme) {
                throw table.error(
                    "open_schemes",
                    "\"\(scheme)\" in \"popups.open_schemes\" is not a URL scheme. Use a name such as \"https\"."
                )
            }
            openSchemes = Set(schemes.map { $0.lowercased() })
        }
        criticalCategories = Set(try table.strings("critical_categories") ?? [])
        text = try table.choice("text") ?? text
        locked = try table.choice("locked") ?? locked
        ownButtons = try table.choices("buttons") ?? ownButtons
        hasPictures = try table.boolean("pictures") ?? hasPictures
        let hosts = try table.strings("private_picture_hosts") ?? []
        for host in hosts where !PictureURL.isHost(host) || host.utf8.count > 255 {
            let problem = "\"\(host)\" in \"popups.private_picture_hosts\" is not a host. Use a name or an address."
            throw table.error("private_picture_hosts", problem)
        }
        privatePictureHosts = Set(hosts.map { $0.lowercased() })
        try table.finish()
    }

    /// The syntax of RFC 3986 §3.1.
    private static func isScheme(_ text: String) -> Bool {
        guard let first = text.utf8.first, (0x61...0x7A).contains(first | 0x20) else { return false }
        return text.unicodeScalars.allSatisfy { scalar in
            scalar.isASCII
                && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil
                    || "+-.".unicodeScalars.contains(scalar))
        }
    }
}

extension PopupPolicy.Timeout {
    /// The value of the key `timeout`.
    init(_ node: TOMLNode, _ table: ConfigurationTable) throws(ConfigurationError) {
        let longest = 86_400.0
        let name = table.name("timeout")
        let seconds: Double
        switch node.value {
        case .string("default"):
            self = .serverDefault
            return
        case .string("never"):
            self = .never
            return
        case .integer(let number): seconds = Double(number)
        case .float(let number): seconds = number
        default:
            throw table.error("timeout", "\"\(name)\" must be \"default\", \"never\" or a number of seconds.")
        }
        guard seconds >= 0.001, seconds <= longest else {
            throw table.error("timeout", "\"\(name)\" must be more than 0 and at most \(Int(longest)) seconds.")
        }
        self = .after(milliseconds: Int32((seconds * 1000).rounded()))
    }
}
