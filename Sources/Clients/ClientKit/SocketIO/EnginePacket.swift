/// A text frame of Engine.IO 4: a type digit and its payload (Engine.IO protocol v4, "Packet encoding").
///
/// ```text
/// 0{"sid":"aB3","upgrades":[],"pingInterval":25000,"pingTimeout":20000,"maxPayload":1000000}
/// 2            ping, from the server        3    pong, from the client
/// 42["name"]   a message: the rest is a Socket.IO packet
/// ```
package enum EnginePacket: Sendable, Hashable {
    case open(Handshake)
    case close
    /// The payload is usually empty; the pong repeats it.
    case ping(payload: String)
    case pong(payload: String)
    /// Carries a ``SocketPacket``, not yet parsed.
    case message(String)
    case upgrade
    case noop

    /// Parses a frame. Text after `1`, `5` and `6` is ignored.
    package init(parsing text: String) throws(PacketError) {
        guard let type = text.unicodeScalars.first else { throw .empty }
        let rest = String(text.unicodeScalars.dropFirst())
        switch type {
        case "0": self = .open(try Handshake(parsing: rest))
        case "1": self = .close
        case "2": self = .ping(payload: rest)
        case "3": self = .pong(payload: rest)
        case "4": self = .message(rest)
        case "5": self = .upgrade
        case "6": self = .noop
        default: throw .unknownType
        }
    }

    /// The frame.
    package var text: String {
        switch self {
        case .open(let handshake): "0" + handshake.json.text
        case .close: "1"
        case .ping(let payload): "2" + payload
        case .pong(let payload): "3" + payload
        case .message(let packet): "4" + packet
        case .upgrade: "5"
        case .noop: "6"
        }
    }
}

extension EnginePacket {
    /// The server's first packet: session parameters.
    package struct Handshake: Sendable, Hashable {
        /// The Engine.IO session id. It differs from the `sid` of Socket.IO.
        package var sid: String
        /// The server's ping interval. Always positive; the reader must limit large values.
        package var pingIntervalMilliseconds: Double
        /// How long the server waits for a pong, and how long after the interval the client waits for a ping.
        package var pingTimeoutMilliseconds: Double

        package init(sid: String, pingIntervalMilliseconds: Double, pingTimeoutMilliseconds: Double) {
            self.sid = sid
            self.pingIntervalMilliseconds = pingIntervalMilliseconds
            self.pingTimeoutMilliseconds = pingTimeoutMilliseconds
        }

        /// Missing, zero and negative times become the defaults of engine.io: 25 s and 20 s.
        init(parsing text: String) throws(PacketError) {
            let json: JSONValue
            do { json = try JSONValue(parsing: text) } catch { throw .badJSON(error) }
            guard case .object(let members) = json else { throw .badPayload }
            func milliseconds(_ key: String, default standard: Double) -> Double {
                guard let value = members[key]?.number, value > 0 else { return standard }
                return value
            }
            self.init(
                sid: members["sid"]?.string ?? "",
                pingIntervalMilliseconds: milliseconds("pingInterval", default: 25_000),
                pingTimeoutMilliseconds: milliseconds("pingTimeout", default: 20_000)
            )
        }

        var json: JSONValue {
            func milliseconds(_ value: Double) -> JSONValue {
                Int64(exactly: value).map(JSONValue.integer) ?? .number(value)
            }
            return [
                "sid": .string(sid),
                "upgrades": [],
                "pingInterval": milliseconds(pingIntervalMilliseconds),
                "pingTimeout": milliseconds(pingTimeoutMilliseconds),
            ]
        }
    }
}
