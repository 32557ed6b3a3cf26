import Foundation
import Glibc
import Testing

/// The socket of a service manager (sd_notify(3)), which keeps what it receives.
package actor NotifySocket {
    /// The value of `NOTIFY_SOCKET`.
    package nonisolated let address: String
    private let descriptor: Int32
    private var received: [String] = []

    /// - Parameter isAbstract: Whether its name is not in the file system.
    package init(isAbstract: Bool = false) throws {
        let name = "/tmp/feedbell-\(UUID().uuidString)"
        address = isAbstract ? "@" + name : name
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
        var own = sockaddr_un()
        own.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &own.sun_path) { $0.copyBytes(from: address.utf8) }
        if isAbstract { own.sun_path.0 = 0 }
        let length = MemoryLayout<sa_family_t>.size + address.utf8.count
        let code = withUnsafePointer(to: &own) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, socklen_t(length)) }
        }
        guard code == 0 else { throw CocoaError(.fileWriteUnknown) }
    }

    deinit {
        close(descriptor)
        if address.hasPrefix("/") { unlink(address) }
    }

    /// Every notification so far.
    package var all: [String] {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            guard count >= 0 else { return received }
            received.append(String(decoding: buffer[..<count], as: UTF8.self))
        }
    }

    /// Waits for a notification that ends with this text.
    package func wait(for text: String) async throws {
        try await waiting(for: "a notification \(text)", seeing: { all }) { $0.contains { $0.hasSuffix(text) } }
    }
}
