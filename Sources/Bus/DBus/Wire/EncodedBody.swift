/// The arguments of a message in the wire format.
struct EncodedBody: Sendable, Hashable {
    let signature: Signature
    let bytes: [UInt8]
    let descriptors: [UnixDescriptor]

    /// No arguments.
    static let empty = EncodedBody(Signature(trusted: ""), BodyEncoder(capacity: 1))

    init(_ values: [Value]) throws(DBusError) {
        let signature = Signature(of: values)
        // Before the values: a structure of many fields may have a very long one.
        guard signature.text.utf8.count <= 255 else {
            throw DBusError(.limitsExceeded, "The signature is longer than 255 bytes.")
        }
        var encoder = BodyEncoder()
        for value in values { try encoder.append(value) }
        self.init(signature, encoder)
    }

    init(_ signature: Signature, _ encoder: consuming BodyEncoder) {
        self.signature = signature
        bytes = encoder.bytes
        descriptors = encoder.descriptors
    }
}

/// The arguments of a signal, encoded once and sent in any number of messages: see ``InterfaceSignal/encode(_:)``.
public struct EncodedArguments<Arguments>: Sendable {
    let body: EncodedBody
}

extension EncodedArguments where Arguments == (String, [String: Value]) {
    /// A text and the dictionary of these entries, whose names are different. The dictionary itself is not made, which
    /// would take longer than everything else.
    /// - Throws: `InvalidArgs` or `LimitsExceeded` if they cannot be sent.
    public init(_ text: String, entries: [RecordEntry]) throws(DBusError) {
        var encoder = BodyEncoder()
        try encoder.string(text)
        try encoder.record(entries)
        body = EncodedBody(Signature(trusted: "sa{sv}"), encoder)
    }
}
