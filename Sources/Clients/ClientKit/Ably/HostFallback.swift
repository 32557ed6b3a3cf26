/// Which host to connect to, and which after that one failed (Ably's feature specification, RTN17).
///
/// ```
/// primary ── host fault ──► is the internet up? ── yes ──► fallback hosts, in random order ──► wait
///    │                              └──── no ────► wait
///    └── connected, or another failure ──► the attempt ends
/// ```
package struct HostFallback: Sendable, Equatable {
    /// The hosts of one kind of connection, as URLs without a path.
    package struct Hosts: Sendable, Equatable {
        package var primary: String
        /// Hosts of other data centers and another domain.
        package var fallbacks: [String]
        /// A page that contains "yes" if the internet is reachable.
        package var internetCheck: String

        package init(primary: String, fallbacks: [String] = [], internetCheck: String = Hosts.publicInternetCheck) {
            self.primary = primary
            self.fallbacks = fallbacks
            self.internetCheck = internetCheck
        }

        package static let publicInternetCheck = "https://internet-up.ably-realtime.com/is-the-internet-up.txt"

        /// The hosts of realtime connections, or of requests, with the primary host's scheme. Only Ably's own primary
        /// hosts have fallback hosts (Ably's feature specification, REC2c).
        package init(of primary: String) {
            let parts = primary.split(separator: ":", maxSplits: 1)
            let letters = ["a", "b", "c", "d", "e"]
            let names =
                switch parts.last {
                case "//realtime.ably.io", "//rest.ably.io": letters.map { "\($0).ably-realtime.com" }
                case "//main.realtime.ably.net": letters.map { "main.\($0).fallback.ably-realtime.com" }
                default: [String]()
                }
            self.init(primary: primary, fallbacks: names.map { "\(parts[0])://\($0)" })
        }

        /// The fallback hosts in random order.
        ///
        /// - Parameter random: Gives numbers in 0 ... 1.
        package func shuffledFallbacks(random: () -> Double) -> [String] {
            var rest = fallbacks
            var order: [String] = []
            while !rest.isEmpty {
                order.append(rest.remove(at: min(Int(max(0, random()) * Double(rest.count)), rest.count - 1)))
            }
            return order
        }
    }

    /// The next action of the caller.
    package enum Step: Sendable, Equatable {
        case connect(to: String)
        /// Load the page, and call ``checked(isOnline:random:)``.
        case checkInternet(String)
        /// The attempt failed: wait, and begin with the primary host.
        case wait
    }

    private enum Phase: Sendable, Equatable {
        case primary
        case checking
        case fallbacks(left: [String])
    }

    package let hosts: Hosts
    private var phase = Phase.primary

    package init(_ hosts: Hosts) { self.hosts = hosts }

    /// An attempt begins, always with the primary host (RTN17i).
    package mutating func startOver() -> Step {
        phase = .primary
        return .connect(to: hosts.primary)
    }

    /// The host failed in a way that another host may not: it was unreachable, timed out, or answered with a status of
    /// 500 to 504 (RTN17f).
    package mutating func failed() -> Step {
        switch phase {
        case .primary:
            guard !hosts.fallbacks.isEmpty else { return .wait }
            phase = .checking
            return .checkInternet(hosts.internetCheck)
        case .checking: return .wait
        case .fallbacks(let left): return next(of: left)
        }
    }

    /// Whether the internet is reachable, so that the fault is the host's (RTN17j).
    ///
    /// - Parameter random: Gives numbers in 0 ... 1, for the order of the hosts.
    package mutating func checked(isOnline: Bool, random: () -> Double) -> Step {
        guard phase == .checking, isOnline else { return .wait }
        return next(of: hosts.shuffledFallbacks(random: random))
    }

    private mutating func next(of left: [String]) -> Step {
        guard let host = left.first else { return .wait }
        phase = .fallbacks(left: Array(left.dropFirst()))
        return .connect(to: host)
    }
}
