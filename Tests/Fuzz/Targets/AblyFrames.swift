import ClientKit

/// A frame of Ably: what parses, prints, and parses again to the same; the data of its messages is decoded.
func checkAblyFrame(_ input: [UInt8]) throws(Fault) {
    guard let message = try? ProtocolMessage(parsing: String(decoding: input, as: UTF8.self)) else { return }
    try demand((try? ProtocolMessage(parsing: message.text)) == message, "\(message) does not survive \(message.text)")
    let kept = [message.id, message.channelSerial, message.resumeKey]
    try demand(kept.allSatisfy { $0?.utf8.count ?? 0 <= ProtocolMessage.maximumIDSize }, "\(kept) is too long")
    if let error = message.error {
        try demand(
            error.message.utf8.count <= ErrorInfo.maximumMessageSize,
            "an error of \(error.message.utf8.count) bytes"
        )
    }
    for element in message.messages ?? [] {
        guard let content = element.content else {
            try demand(element.data == nil, "\(element) has data, but no content")
            continue
        }
        let rest = content.encoding ?? ""
        let encoding = (element.encoding ?? "").split(separator: "/").joined(separator: "/")
        try demand(encoding.hasPrefix(rest), "\(rest) is left of \(encoding)")
    }
}
