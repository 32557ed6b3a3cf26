package import ClientKit

/// Why a frame is not a packet.
package enum PacketError: Error, Sendable, Hashable {
    /// A frame without a single character.
    case empty
    /// The first character is no packet type of Engine.IO 4 or Socket.IO 5.
    case unknownType
    /// A binary packet without its count of attachments, or any packet with an impossible one.
    case badAttachmentCount
    /// An acknowledgement id that does not fit.
    case badAcknowledgementID
    /// What should be JSON is not.
    case badJSON(JSONError)
    /// JSON of the wrong shape for this type, such as an event without a name.
    case badPayload
}
