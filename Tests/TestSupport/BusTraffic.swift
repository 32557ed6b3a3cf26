import DBus
import Subprocess
import Synchronization
import Testing

/// The traffic of the test's bus, from a monitor.
package struct BusTraffic: Sendable {
    private let bytes: [UInt8]

    private final class Record: Sendable {
        let bytes = Mutex<[UInt8]>([])
    }

    /// Runs `body` beside a `dbus-monitor` that sees every message.
    package static func recorded(_ body: () async throws -> Void) async throws -> BusTraffic {
        let record = Record()
        _ = try await Subprocess.run(
            .name("dbus-monitor"),
            arguments: ["--address", SessionBus.address, "--binary"],
            input: .none,
            output: .sequence,
            error: .discarded
        ) { monitor in
            defer { try? monitor.send(signal: .kill) }
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    for try await buffer in monitor.standardOutput {
                        buffer.withUnsafeBytes { bytes in record.bytes.withLock { $0 += bytes } }
                    }
                }
                try await withBus { bus in
                    func show(_ marker: BusName) async throws {
                        try await waiting(for: "\(marker) on the bus") {
                            _ = try await bus.nameOwner(of: marker)
                            return record.bytes.withLock { BusTraffic(bytes: $0).contains(marker.text) }
                        }
                    }
                    try await show("org.feedbell.Beginning")
                    try await body()
                    try await show("org.feedbell.End")
                }
                try? monitor.send(signal: .kill)
                try await group.waitForAll()
            }
        }
        return BusTraffic(bytes: record.bytes.withLock { $0 })
    }

    /// Whether this text crossed the bus in the clear.
    package func contains(_ text: String) -> Bool { firstIndex(of: text) != nil }

    /// How many calls of a method, or signals, with this name there were.
    package func count(of member: String) -> Int {
        // As a string of the header: its length, its text and a zero.
        let length = UInt32(member.utf8.count)
        let wanted = (0..<4).map { UInt8(truncatingIfNeeded: length >> ($0 * 8)) } + Array(member.utf8) + [0]
        return bytes.indices.count { bytes[$0] == wanted[0] && bytes[$0...].starts(with: wanted) }
    }

    /// The place of this text in everything that crossed the bus, in the order of the messages.
    package func firstIndex(of text: String) -> Int? {
        let wanted = Array(text.utf8)
        return bytes.indices.dropLast(max(0, wanted.count - 1)).first { start in
            bytes[start] == wanted[0] && bytes[start...].starts(with: wanted)
        }
    }
}
