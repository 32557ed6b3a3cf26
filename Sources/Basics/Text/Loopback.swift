extension StringProtocol {
    /// Whether this host name or address always denotes this computer: `127.0.0.0/8`, `::1` and `localhost`. No other
    /// name, whatever its address.
    package var isLoopbackHost: Bool {
        if lowercased() == "localhost" || self == "::1" { return true }
        let parts = split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127"
            && parts.allSatisfy { UInt8($0) != nil && $0.utf8.allSatisfy { 0x30...0x39 ~= $0 } }
    }
}
