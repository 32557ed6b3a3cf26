/// Why a frame is not a valid packet.
package enum PacketError: Error, Sendable, Hashable {
    /// The frame is empty.
    case empty
    /// The first character is not a packet type of Engine.IO 4 or Socket.IO 5.
    case unknownType
    /// A binary packet without an attachment count, or a packet with an invalid one.
    case badAttachmentCount
    /// An acknowledgement id out of range.
    case badAcknowledgementID
    /// The payload is not valid JSON.
    case badJSON(JSONError)
    /// Valid JSON of the wrong shape for this packet type, such as an event without a name.
    case badPayload
}
