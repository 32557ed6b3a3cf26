import CDBus

/// Owns one libdbus message.
struct RawMessage: ~Copyable {
    let pointer: OpaquePointer

    init(owning pointer: OpaquePointer) { self.pointer = pointer }

    deinit { dbus_message_unref(pointer) }

    /// Converts a message to a libdbus message.
    /// - Throws: `InvalidArgs` for a body whose elements contradict its types, `LimitsExceeded` if it is too large or
    ///   nested too deeply.
    static func encoding(_ message: Message) throws(DBusError) -> RawMessage {
        guard let pointer = dbus_message_new(message.kind.code) else { throw .noMemory }
        let raw = RawMessage(owning: pointer)
        var complete = true
        if let path = message.path { complete = dbus_message_set_path(pointer, path.text) != 0 && complete }
        if let interface = message.interface {
            complete = dbus_message_set_interface(pointer, interface.text) != 0 && complete
        }
        if let member = message.member { complete = dbus_message_set_member(pointer, member.text) != 0 && complete }
        if let name = message.errorName { complete = dbus_message_set_error_name(pointer, name.text) != 0 && complete }
        if let name = message.destination {
            complete = dbus_message_set_destination(pointer, name.text) != 0 && complete
        }
        if let serial = message.replySerial {
            complete = dbus_message_set_reply_serial(pointer, serial) != 0 && complete
        }
        guard complete else { throw .noMemory }
        if message.noReplyExpected || message.kind != .methodCall { dbus_message_set_no_reply(pointer, 1) }
        if message.noAutoStart { dbus_message_set_auto_start(pointer, 0) }
        try Encoder.append(message.body, to: raw)
        return raw
    }

    /// Decodes a received message. If the body cannot be decoded (too many file descriptors), returns the header and
    /// the error.
    func decoded() -> (message: Message, unreadable: DBusError?) {
        var message = Message(Message.Kind(code: dbus_message_get_type(pointer)), body: [])
        message.serial = dbus_message_get_serial(pointer)
        let replySerial = dbus_message_get_reply_serial(pointer)
        message.replySerial = replySerial == 0 ? nil : replySerial
        message.path = name(dbus_message_get_path(pointer))
        message.interface = name(dbus_message_get_interface(pointer))
        message.member = name(dbus_message_get_member(pointer))
        message.errorName = name(dbus_message_get_error_name(pointer))
        message.destination = name(dbus_message_get_destination(pointer))
        message.sender = name(dbus_message_get_sender(pointer))
        message.noReplyExpected = dbus_message_get_no_reply(pointer) != 0
        message.noAutoStart = dbus_message_get_auto_start(pointer) == 0
        do {
            message.body = try Decoder.body(of: self)
            return (message, nil)
        } catch {
            return (message, error)
        }
    }

    /// Copies a borrowed string that libdbus has validated.
    private func name<Grammar>(_ text: UnsafePointer<CChar>?) -> Name<Grammar>? {
        text.map { Name(trusted: String(cString: $0)) }
    }
}

extension Message.Kind {
    fileprivate var code: Int32 {
        switch self {
        case .methodCall: 1
        case .methodReturn: 2
        case .error: 3
        case .signal: 4
        }
    }

    /// Messages of unknown types must be ignored (D-Bus Specification, "Message Format"): they are treated as signals,
    /// which no listener matches.
    fileprivate init(code: Int32) {
        self =
            switch code {
            case 1: .methodCall
            case 2: .methodReturn
            case 3: .error
            default: .signal
            }
    }
}

extension DBusError {
    static var noMemory: DBusError { DBusError(.noMemory, "Not enough memory for the message.") }
}
