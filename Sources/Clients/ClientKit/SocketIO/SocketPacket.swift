/// A packet of Socket.IO 5, inside an Engine.IO message (Socket.IO protocol v5, "Packet encoding").
///
/// ```text
/// type[attachments-][/namespace,][acknowledgement id][json]
///
/// 0{"sid":"qZ9"}                                   CONNECT answered
/// 2["new_notification",{"n_id":"01K1"}]            EVENT
/// 217["new_notification",{"n_id":"01K1"}]          EVENT that asks for acknowledgement 17
/// 317[]                                            ACK
/// 51-/feed,["x",{"_placeholder":true,"num":0}]     BINARY_EVENT; one binary frame follows
/// ```
package struct SocketPacket: Sendable, Hashable {
    /// The packet type: the first digit.
    package enum Kind: UInt8, Sendable, CaseIterable {
        case connect, disconnect, event, acknowledgement, connectError, binaryEvent, binaryAcknowledgement

        var isBinary: Bool { self == .binaryEvent || self == .binaryAcknowledgement }
    }

    package var kind: Kind
    /// The number of binary frames that follow. Written for the two binary types only.
    package var attachments: Int
    /// `/` is the default namespace, which is not written.
    package var namespace: String
    package var acknowledgementID: UInt64?
    package var payload: JSONValue?

    package init(
        _ kind: Kind,
        attachments: Int = 0,
        namespace: String = "/",
        acknowledgementID: UInt64? = nil,
        payload: JSONValue? = nil
    ) {
        self.kind = kind
        self.attachments = attachments
        self.namespace = namespace
        self.acknowledgementID = acknowledgementID
        self.payload = payload
    }

    /// Parses the text after the `4` of an Engine.IO message.
    package init(parsing text: String) throws(PacketError) {
        var rest = Substring(text).unicodeScalars
        guard let first = rest.popFirst() else { throw .empty }
        guard ("0"..."6").contains(first), let kind = Kind(rawValue: UInt8(first.value - 48)) else {
            throw .unknownType
        }
        self.init(kind)
        if kind.isBinary {
            guard let count = Int(Self.takeDigits(&rest)), rest.popFirst() == "-" else { throw .badAttachmentCount }
            attachments = count
        }
        if rest.first == "/" {
            namespace = String(rest.prefix { $0 != "," })
            rest = rest.drop { $0 != "," }.dropFirst()
        }
        let digits = Self.takeDigits(&rest)
        if !digits.isEmpty {
            guard let id = UInt64(digits) else { throw .badAcknowledgementID }
            acknowledgementID = id
        }
        if !rest.isEmpty, kind != .disconnect {
            do { payload = try JSONValue(parsing: String(rest)) } catch { throw .badJSON(error) }
        }
        guard isWellFormed else { throw .badPayload }
    }

    /// The packet as the text of an Engine.IO message.
    package var text: String {
        var text = String(kind.rawValue)
        if kind.isBinary { text += "\(attachments)-" }
        if namespace != "/" { text += namespace + "," }
        if let acknowledgementID { text += String(acknowledgementID) }
        if let payload { text += payload.text }
        return text
    }

    /// Name and arguments of an event; nil for every other type.
    package var event: (name: String, arguments: [JSONValue])? {
        guard kind == .event || kind == .binaryEvent, let elements = payload?.array, let name = elements.first?.string
        else { return nil }
        return (name, Array(elements.dropFirst()))
    }

    private var isWellFormed: Bool {
        switch kind {
        case .event, .binaryEvent: event != nil
        case .acknowledgement, .binaryAcknowledgement: acknowledgementID != nil && payload?.array != nil
        case .connect: payload == nil || payload?.object != nil
        case .connectError: payload == nil || payload?.object != nil || payload?.string != nil
        case .disconnect: payload == nil
        }
    }

    private static func takeDigits(_ rest: inout Substring.UnicodeScalarView) -> String {
        let digits = rest.prefix { ("0"..."9").contains($0) }
        rest = rest.dropFirst(digits.count)
        return String(digits)
    }
}
