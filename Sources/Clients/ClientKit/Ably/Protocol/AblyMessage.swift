import FoundationEssentials

/// A message of a channel, in a MESSAGE (Ably's feature specification, "Message").
package struct AblyMessage: Sendable, Equatable {
    package var id: String?
    package var name: String?
    /// As it was sent; see ``content``.
    package var data: JSONValue?
    /// The encodings of ``data``, separated by slashes; the last one was applied last.
    package var encoding: String?
    package var clientID: String?
    package var connectionID: String?
    /// Milliseconds since the Unix epoch.
    package var timestamp: Int64?
    package var extras: JSONValue?

    package init(id: String? = nil, name: String? = nil, data: JSONValue? = nil, encoding: String? = nil) {
        self.id = id
        self.name = name
        self.data = data
        self.encoding = encoding
    }
}

/// The decoded data of a message.
package struct MessageContent: Sendable, Equatable {
    package enum Value: Sendable, Equatable {
        case json(JSONValue)
        case bytes([UInt8])
    }

    package var value: Value
    /// The encodings that are still applied: the last one is unknown, or does not fit the data. Nil: none.
    package var encoding: String?

    package init(_ value: Value, encoding: String? = nil) {
        self.value = value
        self.encoding = encoding
    }

    /// The decoded value; nil if it is bytes, or could not be decoded completely.
    package var json: JSONValue? {
        guard encoding == nil, case .json(let value) = value else { return nil }
        return value
    }
}

extension AblyMessage {
    /// More encodings than this are not decoded.
    package static let maximumEncodings = 8

    /// The data, decoded from the last encoding to the first, as far as possible: `json`, `utf-8` and `base64`
    /// (Ably's feature specification, RSL6). Nil: the message has none.
    package var content: MessageContent? {
        guard let data else { return nil }
        var content = MessageContent(.json(data))
        var steps = (encoding ?? "").split(separator: "/")
        if steps.count <= Self.maximumEncodings {
            while let step = steps.last, let value = content.value.decoded(from: step) {
                content.value = value
                steps.removeLast()
            }
        }
        content.encoding = steps.isEmpty ? nil : steps.joined(separator: "/")
        return content
    }
}

extension MessageContent.Value {
    /// This value without one encoding; nil: the encoding is unknown, or the value does not fit.
    fileprivate func decoded(from encoding: Substring) -> Self? {
        switch (encoding, self) {
        case ("json", .json(.string(let text))):
            (try? JSONValue(parsing: Array(text.utf8), isTolerant: true)).map(Self.json)
        case ("utf-8", .bytes(let bytes)):
            String(validating: bytes, as: UTF8.self).map { .json(.string($0)) }
        case ("base64", .json(.string(let text))):
            Data(base64Encoded: text).map { .bytes(Array($0)) }
        default: nil
        }
    }
}
