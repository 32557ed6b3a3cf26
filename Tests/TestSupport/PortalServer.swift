package import DBus

/// A desktop portal that opens addresses in a manner that the test chooses (XDG Desktop Portal, `OpenURI`, `Request`).
package struct PortalServer: Sendable {
    package enum Manner: Sendable, Hashable {
        /// The reply, then `Response`.
        case answers(UInt32)
        /// `Response` before the reply.
        case answersEarly(UInt32)
        /// As before version 0.9: it chooses the handle.
        case choosesHandle(UInt32)
        /// The reply, and no `Response` before ``respond(_:to:)``: it asks the user.
        case asksUser
        /// An error instead of a reply.
        case refuses
        /// No reply, as while it is busy.
        case isSilent
    }

    package struct Request: Sendable, Hashable {
        package var url: String
        package var token: String?
        package var handle: ObjectPath
    }

    /// What it was asked for.
    package let requests: AsyncStream<Request>
    /// The handles of requests that were withdrawn.
    package let withdrawn: AsyncStream<ObjectPath>
    private let bus: Bus
    private let input: AsyncStream<Request>.Continuation
    private let withdrawals: AsyncStream<ObjectPath>.Continuation

    private init(bus: Bus) {
        self.bus = bus
        (requests, input) = AsyncStream.makeStream()
        (withdrawn, withdrawals) = AsyncStream.makeStream()
    }

    /// Runs `body` beside a portal. It ends when `body` closes its connection, at the latest with `body`.
    package static func with<Result: Sendable>(
        _ manner: Manner,
        _ body: (PortalServer, Bus) async throws -> Result
    ) async throws -> Result {
        try await withBus { bus in
            let server = PortalServer(bus: bus)
            let (accepted, accept) = AsyncStream<(Request, UInt32)>.makeStream()
            var portal = ExportedObject("/org/freedesktop/portal/desktop")
            portal.set(OpenURI.version, 4)
            portal.handleCall(OpenURI.openURI) { arguments, context in
                let request = try await server.request(arguments.1, arguments.2, manner, of: context.sender)
                server.input.yield(request)
                switch manner {
                case .answers(let response), .choosesHandle(let response): accept.yield((request, response))
                case .answersEarly(let response): try await server.respond(response, to: request)
                case .asksUser: break
                case .refuses: throw DBusError(.failed, "No application is registered.")
                case .isSilent:
                    for await _ in AsyncStream<Void>.makeStream().stream {}
                }
                return request.handle
            }
            try await bus.export(portal)
            _ = try await bus.requestName("org.freedesktop.portal.Desktop")
            return try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    for await (request, response) in accepted {
                        // After its reply to this call the bus has the reply of the request.
                        _ = try? await bus.nameOwner(of: "org.freedesktop.portal.Desktop")
                        try? await server.respond(response, to: request)
                    }
                }
                defer { group.cancelAll() }
                return try await body(server, bus)
            }
        }
    }

    /// Answers a request: 0 done, 1 cancelled by the user, 2 ended otherwise.
    package func respond(_ response: UInt32, to request: Request) async throws {
        try await bus.emit(PortalRequest.response, response, [:], from: request.handle)
    }

    private func request(
        _ url: String,
        _ options: [String: Value],
        _ manner: Manner,
        of sender: BusName?
    ) async throws -> Request {
        let name = (sender?.text ?? "").dropFirst().replacing(".", with: "_")
        let token: String = try options.value("handle_token") ?? "none"
        var handle = try ObjectPath("/org/freedesktop/portal/desktop/request/\(name)/\(token)")
        if case .choosesHandle = manner { handle = "/org/freedesktop/portal/desktop/request/1" }
        var object = ExportedObject(handle)
        object.handle(PortalRequest.close) { [handle] in _ = withdrawals.yield(handle) }
        try? await bus.export(object)
        return Request(url: url, token: try options.value("activation_token"), handle: handle)
    }
}

private enum OpenURI: Interface {
    static let name: InterfaceName = "org.freedesktop.portal.OpenURI"
    static let openURI = Method(
        "OpenURI",
        in: (Argument<String>("parent_window"), Argument<String>("uri"), Argument<[String: Value]>("options")),
        out: (Argument<ObjectPath>("handle"))
    )
    static let version = Property<UInt32>("version", .read, emitsChange: .const)
    static let members: [any Member] = [openURI, version]
}

private enum PortalRequest: Interface {
    static let name: InterfaceName = "org.freedesktop.portal.Request"
    static let close = Method("Close", in: (), out: ())
    static let response = Signal("Response", (Argument<UInt32>("response"), Argument<[String: Value]>("results")))
    static let members: [any Member] = [close, response]
}
