import ClientKit
import Testing

struct PacketTests {
    static let engineVectors: [(String, EnginePacket)] = [
        (
            #"0{"pingInterval":25000,"pingTimeout":20000,"sid":"aB3","upgrades":[]}"#,
            .open(.init(sid: "aB3", pingIntervalMilliseconds: 25000, pingTimeoutMilliseconds: 20000))
        ),
        ("1", .close), ("2", .ping(payload: "")), ("2probe", .ping(payload: "probe")), ("3", .pong(payload: "")),
        ("3x", .pong(payload: "x")), (#"42["a"]"#, .message(#"2["a"]"#)), ("4", .message("")), ("5", .upgrade),
        ("6", .noop),
    ]

    @Test("Engine.IO packets are decoded and encoded", arguments: engineVectors) func engineBothWays(
        text: String,
        packet: EnginePacket
    ) throws {
        #expect(try EnginePacket(parsing: text) == packet)
        #expect(packet.text == text)
    }

    static let engineErrors: [(String, PacketError)] = [
        ("", .empty), ("7", .unknownType), ("x", .unknownType), ("٣", .unknownType), ("0[]", .badPayload),
        ("0", .badJSON(JSONError(problem: "a value was expected", offset: 0))),
    ]

    @Test("Malformed Engine.IO packets are rejected", arguments: engineErrors)
    func engineRefuses(text: String, error: PacketError) {
        #expect(throws: error) { try EnginePacket(parsing: text) }
    }

    static let socketVectors: [(String, SocketPacket)] = [
        ("0", .init(.connect)),
        (#"0{"sid":"qZ9"}"#, .init(.connect, payload: ["sid": "qZ9"])),
        (#"0/feed,{"sid":"x"}"#, .init(.connect, namespace: "/feed", payload: ["sid": "x"])),
        ("1", .init(.disconnect)),
        ("1/feed,", .init(.disconnect, namespace: "/feed")),
        (#"2["a"]"#, .init(.event, payload: ["a"])),
        (#"217["a",{"b":1}]"#, .init(.event, acknowledgementID: 17, payload: ["a", ["b": 1]])),
        (#"2/feed,0["a"]"#, .init(.event, namespace: "/feed", acknowledgementID: 0, payload: ["a"])),
        ("317[]", .init(.acknowledgement, acknowledgementID: 17, payload: [])),
        (#"4{"message":"no"}"#, .init(.connectError, payload: ["message": "no"])),
        (
            #"51-["x",{"_placeholder":true,"num":0}]"#,
            .init(.binaryEvent, attachments: 1, payload: ["x", ["_placeholder": true, "num": 0]])
        ),
        (
            #"52-/feed,9["x"]"#,
            .init(.binaryEvent, attachments: 2, namespace: "/feed", acknowledgementID: 9, payload: ["x"])
        ),
        ("61-3[]", .init(.binaryAcknowledgement, attachments: 1, acknowledgementID: 3, payload: [])),
    ]

    @Test("Socket.IO packets are decoded and encoded", arguments: socketVectors) func socketBothWays(
        text: String,
        packet: SocketPacket
    ) throws {
        #expect(try SocketPacket(parsing: text) == packet)
        #expect(packet.text == text)
    }

    /// A namespace may end with the packet; digits before a "-" are an attachment count only where attachments exist.
    @Test("A namespace may end with the packet, and a text event has no attachment count") func lenientForms() throws {
        #expect(try SocketPacket(parsing: "1/feed") == SocketPacket(.disconnect, namespace: "/feed"))
        #expect(try SocketPacket(parsing: "1{}") == SocketPacket(.disconnect))
        #expect(throws: PacketError.badJSON(JSONError(problem: "a value was expected", offset: 1))) {
            try SocketPacket(parsing: #"21-["a"]"#)
        }
    }

    static let socketErrors: [(String, PacketError)] = [
        ("", .empty), ("7", .unknownType), ("٢[]", .unknownType), ("2", .badPayload), ("2[]", .badPayload),
        ("2[null]", .badPayload), (#"2{"a":1}"#, .badPayload), ("3[]", .badPayload), ("35", .badPayload),
        ("0 5", .badPayload), ("0[]", .badPayload), ("4[]", .badPayload),
        (#"5["a"]"#, .badAttachmentCount), (#"5-["a"]"#, .badAttachmentCount), ("51", .badAttachmentCount),
        (#"599999999999999999999-["a"]"#, .badAttachmentCount), (#"299999999999999999999["a"]"#, .badAcknowledgementID),
    ]

    @Test("Malformed Socket.IO packets are rejected", arguments: socketErrors)
    func socketRefuses(text: String, error: PacketError) {
        #expect(throws: error) { try SocketPacket(parsing: text) }
    }

    @Test("Only events have a name") func onlyEventsHaveAName() throws {
        let event = try #require(SocketPacket(parsing: #"2["a",1,"x"]"#).event)
        #expect(event.name == "a")
        #expect(event.arguments == [1, "x"])
        #expect(try SocketPacket(parsing: "31[\"a\"]").event == nil)
    }
}
