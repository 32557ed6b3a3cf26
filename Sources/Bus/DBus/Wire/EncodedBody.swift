/// The arguments of a message in the wire format.
public struct EncodedBody: Sendable, Hashable {
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
