import Glibc
import Synchronization

/// A port that a test can listen on, leave and listen on again: nothing else gets it in between, because it is outside
/// the range from which the system gives ports.
package enum LastingPort {
    package struct NoneIsFree: Error {}

    private static let last = Mutex<UInt16?>(nil)

    /// One of 127.0.0.1 that no other test of this process has been given, and on which nothing listens.
    package static func next() throws -> Int {
        try last.withLock { last in
            let range: ClosedRange<UInt16> = 10_000...(firstOfTheSystem - 1)
            var port = last ?? .random(in: range)
            for _ in range {
                port = port == range.upperBound ? range.lowerBound : port + 1
                if isFree(port) {
                    last = port
                    return Int(port)
                }
            }
            throw NoneIsFree()
        }
    }

    /// The first port that the system gives by itself (`ip_local_port_range`); 32768 unless it is set otherwise.
    private static var firstOfTheSystem: UInt16 {
        guard let file = fopen("/proc/sys/net/ipv4/ip_local_port_range", "r") else { return 32_768 }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 64)
        guard fgets(&line, Int32(line.count), file) != nil, let first = UInt16(exactly: strtol(line, nil, 10)) else {
            return 32_768
        }
        return first > 20_000 ? first : 32_768
    }

    private static func isFree(_ port: UInt16) -> Bool {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr = in_addr(s_addr: in_addr_t(0x7F00_0001).bigEndian)
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }
}
