/// A message in the wire format (D-Bus Specification, "Message Format").
struct WireMessage: Sendable {
    let bytes: [UInt8]
    let descriptors: [UnixDescriptor]

    private static let maximumHeader = 1 << 20

    /// Encodes a message.
    /// - Throws: `InvalidArgs` for a body whose elements contradict its types, `LimitsExceeded` if it is too large or
    ///   nested too deeply.
    init(_ message: Message, serial: UInt32) throws(DBusError) {
        let body: EncodedBody
        if let encoded = message.encoded { body = encoded } else { body = try EncodedBody(message.body) }
        var encoder = BodyEncoder(capacity: 512 + body.bytes.count)
        try encoder.integer(UInt8(ascii: "l"))
        try encoder.integer(message.kind.code)
        try encoder.integer(message.flags)
        try encoder.integer(UInt8(1))
        try encoder.integer(UInt32(body.bytes.count))
        try encoder.integer(serial)
        let fields = try encoder.beginArray(alignment: 8)
        try encoder.field(1, "o", message.path?.text)
        try encoder.field(2, "s", message.interface?.text)
        try encoder.field(3, "s", message.member?.text)
        try encoder.field(4, "s", message.errorName?.text)
        try encoder.field(5, message.replySerial)
        try encoder.field(6, "s", message.destination?.text)
        if !body.signature.text.isEmpty {
            try encoder.beginField(8, "g")
            try encoder.signature(body.signature.text)
            encoder.endStructure()
        }
        if !body.descriptors.isEmpty { try encoder.field(9, UInt32(body.descriptors.count)) }
        try encoder.endArray(fields)
        guard encoder.count <= Self.maximumHeader else {
            throw DBusError(.limitsExceeded, "The header of the message is larger than 1 MiB.")
        }
        try encoder.raw(body.bytes, alignment: 8)
        bytes = encoder.bytes
        descriptors = body.descriptors
    }
}

extension BodyEncoder {
    /// Begins a field of the header: its code, and its value as a variant of a basic type.
    fileprivate mutating func beginField(_ code: UInt8, _ type: Unicode.Scalar) throws(DBusError) {
        try beginStructure()
        try integer(code)
        try integer(UInt8(1))
        try integer(UInt8(ascii: type))
        try integer(UInt8(0))
    }

    fileprivate mutating func field(_ code: UInt8, _ type: Unicode.Scalar, _ text: String?) throws(DBusError) {
        guard let text else { return }
        try beginField(code, type)
        try string(text)
        endStructure()
    }

    fileprivate mutating func field(_ code: UInt8, _ number: UInt32?) throws(DBusError) {
        guard let number else { return }
        try beginField(code, "u")
        try integer(number)
        endStructure()
    }
}

extension Message {
    fileprivate var flags: UInt8 {
        (noReplyExpected || kind != .methodCall ? 1 : 0) | (noAutoStart ? 2 : 0)
    }
}

extension Message.Kind {
    fileprivate var code: UInt8 {
        switch self {
        case .methodCall: 1
        case .methodReturn: 2
        case .error: 3
        case .signal: 4
        }
    }
}
