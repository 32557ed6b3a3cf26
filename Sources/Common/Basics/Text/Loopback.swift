extension String {
    /// Whether this host name or address always denotes this computer: `127.0.0.0/8`, `::1` and `localhost`. No other
    /// name, whatever its address.
    package var isLoopbackHost: Bool {
        if utf8.starts(with: "127.".utf8) { return isIPv4Address }
        return self == "::1" || utf8.count == "localhost".utf8.count && lowercased() == "localhost"
    }

    /// Four decimal numbers up to 255. By bytes, because the host of each request is checked.
    private var isIPv4Address: Bool {
        var (parts, number, hasDigits) = (1, 0, false)
        for byte in utf8 {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                number = number * 10 + Int(byte - UInt8(ascii: "0"))
                hasDigits = true
                guard number <= 255 else { return false }
            case UInt8(ascii: ".") where hasDigits: (parts, number, hasDigits) = (parts + 1, 0, false)
            default: return false
            }
        }
        return parts == 4 && hasDigits
    }
}
