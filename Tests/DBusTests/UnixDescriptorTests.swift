import Glibc
import TestSupport
import Testing

@testable import DBus

@Suite(.sessionBus, .timeLimit(.minutes(5))) struct UnixDescriptorTests {
    private enum Plumber: Interface {
        static let name: InterfaceName = "org.example.Plumber1"
        static let path: ObjectPath = "/org/example/Plumber1"
        static let pipe = Method("Pipe", in: (), out: (Argument<UnixDescriptor>("end")))
        static let say = Method("Say", in: (Argument<UnixDescriptor>("end"), Argument<String>("text")), out: ())
        static let members: [any Member] = [pipe, say]
    }

    /// The two ends of a pipe; no other program gets a copy.
    private func pipe() throws -> (read: UnixDescriptor, write: UnixDescriptor) {
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        try #require(socketpair(AF_UNIX, kind, 0, &ends) == 0)
        return (UnixDescriptor(owning: ends[0]), UnixDescriptor(owning: ends[1]))
    }

    /// Reads a pipe until its last other end is closed.
    private func drain(_ end: UnixDescriptor) -> String {
        end.withNumber { number in
            var text = ""
            var buffer = [UInt8](repeating: 0, count: 64)
            while case let count = read(number, &buffer, buffer.count), count > 0 {
                text += String(decoding: buffer[..<count], as: UTF8.self)
            }
            return text
        }
    }

    private func isOpen(_ number: Int32) -> Bool { fcntl(number, F_GETFD) >= 0 }

    @Test("A descriptor is closed with its last copy") func lastCopy() throws {
        let read: UnixDescriptor
        do {
            let write: UnixDescriptor
            (read, write) = try pipe()
            let values = [Value(write), Value(write)]
            #expect(values[0] == values[1])
            #expect(Value(write) != Value(read))
            #expect(values[0].signature == "h")
            #expect(values[0].conforms(to: "h"))
        }
        // The reader gets the end of the file.
        #expect(drain(read) == "")
    }

    @Test("Descriptors are passed as arguments and as results") func bothDirections() async throws {
        try await withBus { server in
            let (read, write) = try pipe()
            var object = ExportedObject(Plumber.path)
            object.handle(Plumber.pipe) { write }
            object.handle(Plumber.say) { end, text in
                end.withNumber { number in _ = text.withCString { Glibc.write(number, $0, strlen($0)) } }
            }
            try await server.export(object)
            try await withBus { client in
                let plumber = Proxy(client, await server.uniqueName, Plumber.path)
                let end = try await plumber.call(Plumber.pipe)
                #expect(end != write)
                try await plumber.call(Plumber.say, end, "through")
                var buffer = [UInt8](repeating: 0, count: 64)
                let count = read.withNumber { Glibc.read($0, &buffer, buffer.count) }
                #expect(String(decoding: buffer[..<count], as: UTF8.self) == "through")
            }
        }
    }

    @Test("A received descriptor that is not kept is closed") func unusedDescriptor() async throws {
        let (read, write) = try pipe()
        try await withBus { server in
            // Arguments of other types: the handler is not called.
            var object = ExportedObject("/")
            object.handle(Plumber.say) { _, _ in }
            try await server.export(object)
            try await withBus { client in
                let call = Message.methodCall(
                    await server.uniqueName,
                    "/",
                    Plumber.name,
                    "Say",
                    [.string("other"), .descriptor(write)]
                )
                let error = await #expect(throws: DBusError.self) { try await client.call(call) }
                #expect(error?.name == .invalidArgs)
            }
        }
        // Both connections are closed. Only a leak would keep the pipe open after this.
        _ = consume write
        #expect(drain(read) == "")
    }

    @Test("The number of descriptors per message is limited") func descriptorLimit() throws {
        func through(_ count: Int) throws -> [Value] {
            let (read, _) = try pipe()
            let values = Value.array(of: "h", Array(repeating: .descriptor(read), count: count))
            let (message, unreadable) = try RawMessage.encodedByLibdbus(.signal("/", "a.b", "C", [values])).decoded()
            if let unreadable { throw unreadable }
            return message.body
        }
        guard case .array("h", let values)? = try through(16).first else {
            Issue.record("no array of descriptors")
            return
        }
        #expect(Set(values).count == 16, "each is one of its own")
        let error = #expect(throws: DBusError.self) { try through(17) }
        #expect(error?.name == .limitsExceeded)
        let (read, _) = try pipe()
        let tooMany = Value.array(of: "h", Array(repeating: .descriptor(read), count: 17))
        #expect(throws: DBusError.self) { try WireMessage(.signal("/", "a.b", "C", [tooMany]), serial: 1) }
    }

    @Test("A descriptor from dbus-python stays open until it is released") func dbusPython() async throws {
        try await SessionBus.withSystemBus {
            try await DBusMock.logind { logind in
                do {
                    let arguments = ["sleep", "test", "because", "delay"].map(Value.string)
                    let answer = try await logind.call(
                        "/org/freedesktop/login1",
                        "org.freedesktop.login1.Manager",
                        "Inhibit",
                        arguments
                    )
                    let descriptor = try UnixDescriptor(dbus: #require(answer.first))
                    #expect(descriptor.withNumber(isOpen))
                    try await logind.inhibitors(1)
                }
                try await logind.inhibitors(0)
            }
        }
    }
}
