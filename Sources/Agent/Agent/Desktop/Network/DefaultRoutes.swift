import FoundationEssentials

/// Where packets to the Internet go: the best default route of each version of the Internet Protocol.
package struct DefaultRoutes: Sendable, Equatable {
    /// Interface and gateway; nil: there is no default route.
    private var v4: String?
    private var v6: String?

    /// Reads them from files in the form of `/proc/net/route` and `/proc/net/ipv6_route` (proc_pid_net(5)).
    package init(v4: String, v6: String) {
        self.v4 = Self.best(
            // Interface, destination, gateway, flags, reference count, uses, metric, mask.
            Self.rows(v4).compactMap { fields in
                guard fields.count >= 8, fields[1] == "00000000", fields[7] == "00000000" else { return nil }
                return Int(fields[6]).map { ("\(fields[0]) \(fields[2])", $0) }
            }
        )
        self.v6 = Self.best(
            // Destination and length, source and length, next hop, metric, reference count, uses, flags, interface.
            Self.rows(v6).compactMap { fields in
                guard fields.count >= 10, fields[0].allSatisfy({ $0 == "0" }), fields[1] == "00" else { return nil }
                // There the kernel rejects what has no route.
                guard fields[9] != "lo" else { return nil }
                return Int(fields[5], radix: 16).map { ("\(fields[9]) \(fields[4])", $0) }
            }
        )
    }

    /// The present default routes.
    package static var current: Self {
        // Also where only the processes in /proc can be seen.
        func contents(_ name: String) -> String {
            String(decoding: FileManager.default.contents(atPath: "/proc/self/net/\(name)") ?? Data(), as: UTF8.self)
        }
        return Self(v4: contents("route"), v6: contents("ipv6_route"))
    }

    /// Whether a default route is new.
    package func hasRoute(notIn old: Self) -> Bool { v4 != nil && v4 != old.v4 || v6 != nil && v6 != old.v6 }

    private static func rows(_ table: String) -> [[Substring]] {
        table.split(separator: "\n").map { $0.split(whereSeparator: \.isWhitespace) }
    }

    private static func best(_ routes: [(way: String, metric: Int)]) -> String? {
        routes.min { $0.metric < $1.metric }?.way
    }
}
