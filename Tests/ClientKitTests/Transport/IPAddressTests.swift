import Testing

@testable import ClientKit

@Suite struct IPAddressTests {
    @Test(
        "Addresses of hosts on the Internet are public",
        arguments: [
            "8.8.8.8", "1.1.1.1", "9.255.255.255", "11.0.0.0", "172.15.255.255", "172.32.0.0", "192.167.255.255",
            "192.169.0.0", "100.63.255.255", "100.128.0.0", "169.253.255.255", "169.255.0.0", "223.255.255.255",
            "198.17.255.255", "198.20.0.0", "2606:4700:4700::1111", "2a00:1450:4001:830::200e", "2400::1",
            "64:ff9b::8.8.8.8", "2003::1",
        ]
    )
    func isPublic(_ text: String) throws { #expect(try #require(IPAddress(text)).isPublic) }

    @Test(
        "Addresses of this computer, the local network and special purposes are not public",
        arguments: [
            "0.0.0.0", "0.1.2.3", "10.0.0.1", "10.255.255.255", "100.64.0.1", "100.127.255.255", "127.0.0.1",
            "127.255.255.254", "169.254.169.254", "172.16.0.1", "172.31.255.255", "192.0.0.8", "192.0.2.1",
            "192.88.99.1", "192.168.0.1", "192.168.255.255", "198.18.0.1", "198.19.255.255", "198.51.100.1",
            "203.0.113.1", "224.0.0.251", "239.255.255.250", "240.0.0.1", "255.255.255.255", "::", "::1", "::8.8.8.8",
            "::ffff:127.0.0.1", "::ffff:8.8.8.8", "64:ff9b::10.0.0.1", "64:ff9b::127.0.0.1", "64:ff9b:1::1", "100::1",
            "2001::1", "2001:db8::1", "2002:7f00:1::1", "2002:0808:0808::1", "3fff::1", "4000::1", "fc00::1",
            "fd12:3456::1", "fe80::1", "fec0::1", "ff02::1",
        ]
    )
    func isNotPublic(_ text: String) throws { #expect(try !#require(IPAddress(text)).isPublic) }

    @Test(
        "Other texts are no addresses",
        arguments: ["", "localhost", "1.2.3", "2130706433", "0x7f.0.0.1", "1.2.3.4.5", "[::1]", "::1%lo", "1.2.3.256"]
    )
    func noAddress(_ text: String) { #expect(IPAddress(text) == nil) }

    @Test("An address has 4 or 16 bytes") func bytes() {
        #expect(IPAddress("1.2.3.4")?.bytes == [1, 2, 3, 4])
        #expect(IPAddress("::1")?.bytes == [UInt8](repeating: 0, count: 15) + [1])
        for count in [0, 3, 5, 15, 17] { #expect(IPAddress(bytes: [UInt8](repeating: 1, count: count)) == nil) }
    }
}
