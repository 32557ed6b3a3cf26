/// A Socket.IO 5 packet as a client may write it, after the Engine.IO "4":
/// `type[attachments-][/namespace,][ackID][json]`.
struct ClientPacket: Equatable {
    enum Kind: Int { case connect, disconnect, event, ack, connectError, binaryEvent, binaryAck }

    var kind: Kind
    var namespace = "/"
    var id: Int?
    var data: JSON?

    /// Parses a packet; nil for text outside the grammar.
    init?(parsing text: Substring) {
        guard let digit = text.first?.wholeNumberValue, let kind = Kind(rawValue: digit) else { return nil }
        self.kind = kind
        var rest = text.dropFirst()
        if kind == .binaryEvent || kind == .binaryAck {
            guard let dash = rest.firstIndex(of: "-"), Int(rest[..<dash]) != nil else { return nil }
            rest = rest[rest.index(after: dash)...]
        }
        if rest.first == "/" {
            let end = rest.firstIndex(of: ",") ?? rest.endIndex
            namespace = String(rest[..<end])
            rest = rest[end...].dropFirst()
        }
        let digits = rest.prefix { ("0"..."9").contains($0) }
        if !digits.isEmpty {
            guard let id = Int(digits) else { return nil }
            self.id = id
            rest = rest[digits.endIndex...]
        }
        guard !rest.isEmpty else { return }
        guard let data = JSON(parsing: String(rest)) else { return nil }
        self.data = data
    }
}
