import CDBus

/// Owns one libdbus message.
struct RawMessage: ~Copyable {
    let pointer: OpaquePointer

    init(owning pointer: OpaquePointer) { self.pointer = pointer }

    deinit { dbus_message_unref(pointer) }

    /// The header of a received message, with the types of its arguments in place of them.
    func header() -> Message {
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
        message.undecoded = Signature(trusted: dbus_message_get_signature(pointer).map { String(cString: $0) } ?? "")
        return message
    }

    /// Decodes the arguments.
    /// - Parameter message: The ``header()``.
    /// - Throws: `LimitsExceeded` if they are larger than ``Decoder`` accepts, or have too many file descriptors.
    func decode(into message: inout Message) throws(DBusError) {
        var decoder = Decoder(limit: message.kind == .methodCall ? Decoder.callLimit : Decoder.otherLimit)
        message.body = try decoder.body(of: self)
        message.undecoded = nil
        message.size = decoder.size
    }

    /// Copies a borrowed string that libdbus has validated.
    private func name<Grammar>(_ text: UnsafePointer<CChar>?) -> Name<Grammar>? {
        text.map { Name(trusted: String(cString: $0)) }
    }
}

extension Message.Kind {
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
