import Glibc
import TestSupport
import Testing

@testable import DBus

@Suite struct WireTests {
    /// The last bytes of a message that libdbus encoded: its body.
    private func bodyByLibdbus(_ values: [Value], _ count: Int) throws -> [UInt8] {
        try RawMessage.encodedByLibdbus(.signal("/", "a.b", "C", values)).marshalled().suffix(count)
    }

    @Test("A signal has exactly the bytes of the specification") func vector() throws {
        let message = Message.signal("/a", "a.b", "C", [.byte(7), .string("xy"), .variant(.uint32(258))])
        let expected: [UInt8] =
            [0x6C, 4, 1, 1, 20, 0, 0, 0, 9, 0, 0, 0, 57, 0, 0, 0]
            + [1, 1, 0x6F, 0, 2, 0, 0, 0, 0x2F, 0x61, 0, 0, 0, 0, 0, 0]
            + [2, 1, 0x73, 0, 3, 0, 0, 0, 0x61, 0x2E, 0x62, 0, 0, 0, 0, 0]
            + [3, 1, 0x73, 0, 1, 0, 0, 0, 0x43, 0, 0, 0, 0, 0, 0, 0]
            + [8, 1, 0x67, 0, 3, 0x79, 0x73, 0x76, 0, 0, 0, 0, 0, 0, 0, 0]
            + [7, 0, 0, 0, 2, 0, 0, 0, 0x78, 0x79, 0, 1, 0x75, 0, 0, 0, 2, 1, 0, 0]
        #expect(try WireMessage(message, serial: 9).bytes == expected)
    }

    @Test("Random values have the bytes that libdbus gives them") func randomValues() throws {
        var random = SeededGenerator(seed: 4)
        for _ in 0..<2000 {
            let values = (0..<2).map { _ in randomValue(&random, consistent: true) }
            let body = try EncodedBody(values)
            #expect(body.bytes == (try bodyByLibdbus(values, body.bytes.count)), "\(values)")
        }
    }

    @Test("A value is rejected exactly if it cannot be given to libdbus") func rejections() throws {
        var random = SeededGenerator(seed: 5)
        for _ in 0..<5000 {
            let value = randomValue(&random, consistent: false)
            func failure(_ encode: () throws -> Void) -> DBusError? {
                do { try encode() } catch { return error as? DBusError }
                return nil
            }
            let ours = failure { _ = try EncodedBody([value]) }
            let libdbus = failure { _ = try RawMessage.encodedByLibdbus(.signal("/", "a.b", "C", [value])) }
            #expect((ours == nil) == (libdbus == nil), "\(value)")
        }
    }

    @Test("Typed values have the bytes of their trees") func typedValues() throws {
        func check<each T: DBusValue>(_ arguments: repeat each T) throws {
            var values: [Value] = []
            var encoder = BodyEncoder()
            for argument in repeat each arguments {
                values.append(argument.dbusValue)
                try argument.encode(to: &encoder)
                #expect(type(of: argument).dbusAlignment == type(of: argument).dbusSignature.alignment)
            }
            #expect(encoder.bytes == (try EncodedBody(values).bytes))
        }
        try check(UInt8(1), true, Int16(-2), UInt16(3), Int32(-4), UInt32(5), Int64(-6), UInt64(7), 0.5)
        try check(UInt8(1), "text", ObjectPath("/a/b"), Signature("a{sv}"), "a\0b", "")
        try check(UInt8(1), [UInt8](), [UInt8](repeating: 9, count: 5), [[UInt8(1)]], [String](), ["a", "b"])
        try check(UInt8(1), [Int64](), UInt8(1), [Int64(1)], [true, false], [Structure(UInt8(1), "x")])
        try check(UInt8(1), Structure(UInt8(1), Structure(UInt16(2), "a")), [ObjectPath("/"): ["a": UInt8(1)]])
        try check(UInt8(1), Value.string("v"), ["k": Value.variant(.structure([.byte(1), .double(2)]))])
        try check(UInt8(1), [String: Value](), [Int64.min: -0.5], [["k": Value.array(of: "x", [])]])
    }

    @Test("Every header field arrives") func headers() throws {
        var call = Message.methodCall("org.x.Y", "/p", "a.b", "M", [.string("x")], autoStart: false)
        var reply = Message.methodReturn(to: call)
        (reply.replySerial, reply.destination) = (77, ":1.9")
        var refusal = Message.error(to: call, DBusError(.failed, "no"))
        (refusal.replySerial, refusal.destination) = (78, ":1.9")
        let silent = Message.signal("/p", "a.b", "S", to: ":1.2")
        var messages = [call, reply, refusal, silent, .methodCall("org.x.Y", "/", nil, "M")]
        call.noReplyExpected = true
        messages.append(call)
        for message in messages {
            let raw = try RawMessage.received(message)
            var expected = message
            expected.serial = 1
            if message.kind != .methodCall { expected.noReplyExpected = true }
            #expect(raw.decoded().message == expected)
        }
    }

    @Test("A header that is too large is rejected") func largeHeader() throws {
        let path = try ObjectPath("/" + String(repeating: "a", count: 1 << 20))
        let error = #expect(throws: DBusError.self) { try WireMessage(.signal(path, "a.b", "C"), serial: 1) }
        #expect(error?.name == .limitsExceeded)
    }

    @Test("Arguments of types that D-Bus does not have are rejected") func impossibleTypes() {
        let arguments = ArgumentList(Argument<[[String]: String]>("map"))
        let error = #expect(throws: DBusError.self) { try arguments.encode([:]) }
        #expect(error?.name == .invalidArgs)
    }

    @Test("A socket that accepts few bytes at a time gets every byte once, in order") func partialWrites() throws {
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        try #require(socketpair(AF_UNIX, kind, 0, &ends) == 0)
        var size: Int32 = 4096
        setsockopt(ends[0], SOL_SOCKET, SO_SNDBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        defer { for end in ends { close(end) } }
        var queue = OutgoingQueue()
        var expected: [UInt8] = []
        for number in UInt32(1)...300 {
            let content = [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: Int(number) * 7)
            let message = try WireMessage(.signal("/", "a.b", "C", [.bytes(content)]), serial: number)
            expected += message.bytes
            queue.append(message)
        }
        #expect(queue.size == expected.count)
        var received: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1000)
        while received.count < expected.count {
            let works = queue.write(to: ends[0])
            #expect(works)
            let count = read(ends[1], &buffer, buffer.count)
            try #require(count > 0)
            received += buffer[..<count]
        }
        #expect(received == expected)
        #expect(queue.isEmpty)
        #expect(queue.size == 0)
    }

    @Test("A closed socket is reported") func closedSocket() throws {
        var ends: [Int32] = [-1, -1]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        close(ends[1])
        defer { close(ends[0]) }
        var queue = OutgoingQueue()
        queue.append(try WireMessage(.signal("/", "a.b", "C"), serial: 1))
        let works = queue.write(to: ends[0])
        #expect(!works)
    }
}
