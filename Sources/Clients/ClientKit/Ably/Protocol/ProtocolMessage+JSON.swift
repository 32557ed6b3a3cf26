/// Why a frame is not a protocol message.
package enum FrameError: Error, Sendable, Hashable {
    case badJSON(JSONError)
    /// Not an object, or one without an action.
    case badShape
    /// More messages than ``ProtocolMessage/maximumMessages``.
    case tooManyMessages
}

extension ProtocolMessage {
    /// The maximum number of messages in one frame.
    package static let maximumMessages = 10_000
    /// The maximum length of ids, keys and positions, in UTF-8 bytes: a longer one counts as absent.
    package static let maximumIDSize = 1024

    /// Parses a frame. A field of another type counts as absent.
    package init(parsing text: String) throws(FrameError) {
        let json: JSONValue
        do { json = try JSONValue(parsing: Array(text.utf8), isTolerant: true) } catch { throw .badJSON(error) }
        try self.init(json)
    }

    package init(_ json: JSONValue) throws(FrameError) {
        guard let action = json["action"]?.int else { throw .badShape }
        self.init(Action(rawValue: action), channel: json["channel"]?.shortText)
        id = json["id"]?.shortText
        channelSerial = json["channelSerial"]?.shortText
        connectionID = json["connectionId"]?.shortText
        connectionKey = json["connectionKey"]?.shortText
        connectionDetails = json["connectionDetails"].flatMap(ConnectionDetails.init)
        flags = json["flags"]?.integer.map(Flags.init)
        error = json["error"].flatMap(ErrorInfo.init)
        accessToken = json["auth"]?["accessToken"]?.string
        timestamp = json["timestamp"]?.integer
        if let elements = json["messages"]?.array {
            guard elements.count <= Self.maximumMessages else { throw .tooManyMessages }
            // An element that is not a message keeps its place: ids are made from the index.
            messages = elements.map(AblyMessage.init)
        }
    }

    /// The frame.
    package var text: String { json.text }

    package var json: JSONValue {
        .object(
            members: [
                "action": .integer(Int64(action.rawValue)),
                "id": id.map(JSONValue.string),
                "channel": channel.map(JSONValue.string),
                "channelSerial": channelSerial.map(JSONValue.string),
                "connectionId": connectionID.map(JSONValue.string),
                "connectionKey": connectionKey.map(JSONValue.string),
                "connectionDetails": connectionDetails?.json,
                "flags": flags.map { .integer($0.rawValue) },
                "error": error?.json,
                "auth": accessToken.map { ["accessToken": .string($0)] },
                "messages": messages.map { .array($0.map(\.json)) },
                "timestamp": timestamp.map(JSONValue.integer),
            ]
        )
    }
}

extension ProtocolMessage.ConnectionDetails {
    init?(_ json: JSONValue) {
        guard json.object != nil else { return nil }
        clientID = json["clientId"]?.shortText
        connectionKey = json["connectionKey"]?.shortText
        connectionStateTTL = json["connectionStateTtl"]?.milliseconds
        maxIdleInterval = json["maxIdleInterval"]?.milliseconds
        maxMessageSize = json["maxMessageSize"]?.integer
        maxFrameSize = json["maxFrameSize"]?.integer
        maxInboundRate = json["maxInboundRate"]?.integer
        maxOutboundRate = json["maxOutboundRate"]?.integer
        serverID = json["serverId"]?.shortText
        siteCode = json["siteCode"]?.shortText
    }

    var json: JSONValue {
        .object(
            members: [
                "clientId": clientID.map(JSONValue.string),
                "connectionKey": connectionKey.map(JSONValue.string),
                "connectionStateTtl": connectionStateTTL.map(JSONValue.milliseconds),
                "maxIdleInterval": maxIdleInterval.map(JSONValue.milliseconds),
                "maxMessageSize": maxMessageSize.map(JSONValue.integer),
                "maxFrameSize": maxFrameSize.map(JSONValue.integer),
                "maxInboundRate": maxInboundRate.map(JSONValue.integer),
                "maxOutboundRate": maxOutboundRate.map(JSONValue.integer),
                "serverId": serverID.map(JSONValue.string),
                "siteCode": siteCode.map(JSONValue.string),
            ]
        )
    }
}

extension ErrorInfo {
    /// Decodes an error; nil: not an object.
    package init?(_ json: JSONValue) {
        guard json.object != nil else { return nil }
        self.init(
            code: json["code"]?.int ?? 0,
            status: json["statusCode"]?.int,
            message: (json["message"]?.string ?? "").cut(to: Self.maximumMessageSize),
            href: json["href"]?.shortText
        )
    }

    package var json: JSONValue {
        .object(
            members: [
                "code": .integer(Int64(code)),
                "statusCode": status.map { .integer(Int64($0)) },
                "message": message.isEmpty ? nil : .string(message),
                "href": href.map(JSONValue.string),
            ]
        )
    }
}

extension AblyMessage {
    init(_ json: JSONValue) {
        id = json["id"]?.shortText
        name = json["name"]?.shortText
        data = json["data"].flatMap { $0 == .null ? nil : $0 }
        encoding = json["encoding"]?.shortText
        clientID = json["clientId"]?.shortText
        connectionID = json["connectionId"]?.shortText
        timestamp = json["timestamp"]?.integer
        extras = json["extras"].flatMap { $0 == .null ? nil : $0 }
    }

    var json: JSONValue {
        .object(
            members: [
                "id": id.map(JSONValue.string),
                "name": name.map(JSONValue.string),
                "data": data,
                "encoding": encoding.map(JSONValue.string),
                "clientId": clientID.map(JSONValue.string),
                "connectionId": connectionID.map(JSONValue.string),
                "timestamp": timestamp.map(JSONValue.integer),
                "extras": extras,
            ]
        )
    }
}
