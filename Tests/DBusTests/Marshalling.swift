import CDBus

import struct DBus.DBusError

@testable import DBus

extension RawMessage {
    /// The message as bytes on the wire, numbered 1.
    func marshalled() -> [UInt8] {
        dbus_message_set_serial(pointer, 1)
        var start: UnsafeMutablePointer<CChar>?
        var count: Int32 = 0
        guard dbus_message_marshal(pointer, &start, &count) != 0, let start else { return [] }
        defer { dbus_free(start) }
        return UnsafeRawBufferPointer(start: start, count: Int(count)).map { $0 }
    }

    /// The message as libdbus reads what we write.
    static func received(_ message: Message) throws -> RawMessage {
        guard let raw = demarshalled(try WireMessage(message, serial: 1).bytes) else {
            throw DBusError(.inconsistentMessage, "libdbus finds the message malformed.")
        }
        return raw
    }

    /// A message from bytes; `nil` when libdbus finds them malformed.
    static func demarshalled(_ bytes: [UInt8]) -> RawMessage? {
        let pointer = bytes.withUnsafeBytes { buffer in
            dbus_message_demarshal(buffer.bindMemory(to: CChar.self).baseAddress, Int32(buffer.count), nil)
        }
        guard let pointer else { return nil }
        return RawMessage(owning: pointer)
    }
}
