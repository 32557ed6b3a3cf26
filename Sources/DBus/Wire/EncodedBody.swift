/// The arguments of a message in the wire format.
struct EncodedBody: Sendable, Hashable {
    let signature: Signature
    let bytes: [UInt8]
    let descriptors: [UnixDescriptor]

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
