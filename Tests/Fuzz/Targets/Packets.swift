import ClientKit

/// A frame: what parses, prints, and parses again to the same. It is read as Engine.IO packet, Socket.IO packet and
/// JSON.
func checkPackets(_ input: [UInt8]) throws(Fault) {
    let text = String(decoding: input, as: UTF8.self)
    if let packet = try? EnginePacket(parsing: text) {
        try demand((try? EnginePacket(parsing: packet.text)) == packet, "\(packet) does not survive \(packet.text)")
        if case .message(let text) = packet { try checkSocketPacket(text) }
    }
    try checkSocketPacket(text)
    try checkJSON(text)
    // Bytes that are not UTF-8 are refused or repaired; what comes out is text like any other.
    if let value = try? JSONValue(parsing: input) { try checkJSON(value.text) }
}

private func checkSocketPacket(_ text: String) throws(Fault) {
    guard let packet = try? SocketPacket(parsing: text) else { return }
    try demand((try? SocketPacket(parsing: packet.text)) == packet, "\(packet) does not survive \(packet.text)")
    let isEvent = packet.kind == .event || packet.kind == .binaryEvent
    try demand(
        (packet.event != nil) == isEvent,
        "\(packet) is an event without a name, or has one without being an event"
    )
}

private func checkJSON(_ text: String) throws(Fault) {
    let value: JSONValue
    do {
        value = try JSONValue(parsing: text)
    } catch {
        try demand((0...text.utf8.count).contains(error.offset), "the offset \(error.offset) is outside the text")
        return
    }
    try demand((try? JSONValue(parsing: value.text)) == value, "\(value) does not survive \(value.text)")
    try demand((try? JSONValue(parsing: value.text))?.text == value.text, "\(value.text) prints in two ways")
    try demand(!value.text.utf8.contains { $0 < 0x20 }, "\(value.text) has a control character")
}
