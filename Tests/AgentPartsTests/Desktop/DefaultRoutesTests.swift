import Testing

@testable import Agent

/// The default routes in the files of the kernel (proc_pid_net(5)).
@Suite struct DefaultRoutesTests {
    private static let header = "Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT"
    private static let none = String(repeating: "0", count: 32)

    private static func v4(_ lines: String...) -> DefaultRoutes {
        DefaultRoutes(v4: ([header] + lines).joined(separator: "\n") + "\n", v6: "")
    }

    private static func v6(_ lines: String...) -> DefaultRoutes {
        DefaultRoutes(v4: "", v6: lines.joined(separator: "\n") + "\n")
    }

    private static let wifi = "wlan0\t00000000\t0102A8C0\t0003\t0\t0\t600\t00000000\t0\t0\t0"
    private static let cable = "eth0\t00000000\t0102A8C0\t0003\t0\t0\t100\t00000000\t0\t0\t0"
    private static let local = "wlan0\t0002A8C0\t00000000\t0001\t0\t0\t600\t00FFFFFF\t0\t0\t0"

    @Test("The best default route of IPv4 counts") func v4() {
        #expect(Self.v4(Self.wifi, Self.local) == Self.v4(Self.wifi))
        #expect(Self.v4(Self.wifi, Self.cable) == Self.v4(Self.cable))
        #expect(Self.v4(Self.wifi) != Self.v4(Self.cable))
        #expect(Self.v4(Self.local) == Self.v4())
        #expect(Self.v4(Self.wifi.replacing("\t600\t", with: "\t20600\t")) == Self.v4(Self.wifi), "another metric")
        #expect(Self.v4(Self.wifi.replacing("0102", with: "0103")) != Self.v4(Self.wifi), "another gateway")
    }

    @Test("The best default route of IPv6 counts, and the kernel's own does not") func v6() {
        func route(_ gateway: String, _ metric: String = "00000400", _ interface: String = "wlan0") -> String {
            "\(Self.none) 00 \(Self.none) 00 \(gateway) \(metric) 00000001 00000000 00450003 \(interface)"
        }
        let gateway = "fe80000000000000021122fffe334455"
        let rejected = route(Self.none, "ffffffff", "lo")
        #expect(Self.v6(route(gateway), rejected) == Self.v6(route(gateway)))
        #expect(Self.v6(rejected) == Self.v6())
        #expect(Self.v6(route(gateway)) != Self.v6())
        #expect(Self.v6(route(gateway), route(gateway, "00000064", "eth0")) == Self.v6(route(gateway, "1", "eth0")))
    }

    @Test("Other files have none", arguments: ["", "\n", "x", "wlan0 00000000", "wlan0 00000000 0 0 0 0 x 00000000"])
    func unreadable(contents: String) { #expect(DefaultRoutes(v4: contents, v6: contents) == Self.v4()) }
}
