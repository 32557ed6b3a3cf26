import CDBus
import Glibc

/// Owns one libdbus connection. Used on the loop only. Nothing blocks except opening the socket.
///
/// libdbus authenticates and reads. Messages are encoded here and written to the socket past libdbus, which would copy
/// and validate them once more; libdbus itself writes nothing after the authentication.
final class RawConnection {
    private let pointer: OpaquePointer
    let descriptor: Int32
    private let writability = WriteWatch()
    private var outgoing = OutgoingQueue()
    /// Whether writing to the socket has failed.
    private var isBroken = false
    /// The serial of the last message.
    private var serial: UInt32 = 0

    private init(owning pointer: OpaquePointer) {
        self.pointer = pointer
        var descriptor: Int32 = -1
        self.descriptor = dbus_connection_get_unix_fd(pointer, &descriptor) != 0 ? descriptor : -1
        writability.follow(pointer)
    }

    deinit {
        // A process that is being started has a copy of the descriptor until its program runs.
        if isConnected { shutdown(descriptor, Int32(SHUT_RDWR)) }
        dbus_connection_close(pointer)
        dbus_connection_unref(pointer)
    }

    /// Opens a private connection, not yet authenticated: that happens while it reads and writes.
    /// - Throws: The error of libdbus: `NoServer`, `BadAddress`, `FileNotFound` and so on.
    static func open(_ address: String) throws(DBusError) -> RawConnection {
        var failure = CDBus.DBusError()
        dbus_error_init(&failure)
        defer { dbus_error_free(&failure) }
        guard let pointer = dbus_connection_open_private(address, &failure) else {
            let name = failure.name.flatMap { try? ErrorName(String(cString: $0)) } ?? .failed
            throw DBusError(
                name,
                "Cannot connect to the bus: " + (failure.message.map { String(cString: $0) } ?? "unknown reason")
            )
        }
        dbus_connection_set_exit_on_disconnect(pointer, 0)
        // libdbus writes with MSG_NOSIGNAL, so the process's SIGPIPE handling stays unchanged.
        dbus_connection_set_change_sigpipe(0)
        return RawConnection(owning: pointer)
    }

    /// Whether the socket has data or its end that is not read yet.
    var hasInput: Bool {
        var byte: UInt8 = 0
        return recv(descriptor, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT)) >= 0
    }

    var isConnected: Bool { !isBroken && dbus_connection_get_is_connected(pointer) != 0 }
    private(set) var isAuthenticated = false
    var hasMessagesToSend: Bool { !outgoing.isEmpty }
    /// Bytes that are queued and not yet written to the socket.
    var outgoingSize: Int { outgoing.size }

    /// Reads and writes as much as possible without blocking.
    func exchange() {
        dbus_connection_read_write(pointer, 0)
        if !isAuthenticated { authenticate() }
        write()
    }

    /// Authentication alternates: each line from the bus must be answered before the next one arrives, and libdbus
    /// reads or writes, not both. The descriptor would not report the data that libdbus leaves unwritten.
    private func authenticate() {
        isAuthenticated = dbus_connection_get_is_authenticated(pointer) != 0
        while !isAuthenticated, isConnected, writability.isWanted || hasInput {
            dbus_connection_read_write(pointer, 0)
            isAuthenticated = dbus_connection_get_is_authenticated(pointer) != 0
        }
    }

    /// Writes queued messages, as much as the socket accepts.
    func write() {
        // When libdbus has closed the descriptor, its number may be that of another file.
        guard isAuthenticated, isConnected else { return }
        isBroken = !outgoing.write(to: descriptor)
    }

    /// The next received message. Skips messages of `org.freedesktop.DBus.Local`, which libdbus creates itself when the
    /// connection ends.
    func pop() -> RawMessage? {
        while let message = dbus_connection_pop_message(pointer) {
            let raw = RawMessage(owning: message)
            if dbus_message_has_interface(message, "org.freedesktop.DBus.Local") == 0 { return raw }
        }
        return nil
    }

    /// Queues a message for ``write()``, and returns its serial.
    /// - Throws: As ``WireMessage/init(_:serial:)``; `NotSupported` for file descriptors on a connection without
    ///   support for them.
    func queue(_ message: Message) throws(DBusError) -> UInt32 {
        // 0 is not a serial.
        serial = max(serial &+ 1, 1)
        let wire = try WireMessage(message, serial: serial)
        if !wire.descriptors.isEmpty, dbus_connection_can_send_type(pointer, Int32(UInt8(ascii: "h"))) == 0 {
            throw DBusError(.notSupported, "This connection to the bus does not support file descriptors.")
        }
        outgoing.append(wire)
        return serial
    }

    /// The machine id for `Peer.GetMachineId`; `nil` if the machine has none.
    static func machineID() -> String? {
        var failure = CDBus.DBusError()
        dbus_error_init(&failure)
        defer { dbus_error_free(&failure) }
        guard let text = dbus_try_get_local_machine_id(&failure) else { return nil }
        defer { dbus_free(text) }
        return String(cString: text)
    }
}

/// Whether libdbus has something to write. It reports that only by the watches for a main loop.
private final class WriteWatch {
    private var watch: OpaquePointer?

    var isWanted: Bool { watch.map { dbus_watch_get_enabled($0) != 0 } ?? false }

    /// Retained by the connection.
    func follow(_ connection: OpaquePointer) {
        dbus_connection_set_watch_functions(
            connection,
            { watch, data in
                if dbus_watch_get_flags(watch) & UInt32(DBUS_WATCH_WRITABLE.rawValue) != 0 {
                    WriteWatch.from(data).watch = watch
                }
                return 1
            },
            { watch, data in
                let known = WriteWatch.from(data)
                if known.watch == watch { known.watch = nil }
            },
            nil,
            Unmanaged.passRetained(self).toOpaque(),
            { Unmanaged<WriteWatch>.fromOpaque($0!).release() }
        )
    }

    private static func from(_ data: UnsafeMutableRawPointer?) -> WriteWatch {
        Unmanaged<WriteWatch>.fromOpaque(data!).takeUnretainedValue()
    }
}
