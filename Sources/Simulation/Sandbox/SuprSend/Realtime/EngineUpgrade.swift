/// The Engine.IO 4 upgrade of a request to a WebSocket.
enum EngineUpgrade {
    /// Whether a request is `/socket.io/?EIO=4&transport=websocket`. Clients may add a timestamp `t`.
    static func isValid(_ request: ServiceRequest) -> Bool {
        request.rawPath == "/socket.io/" && problem(request) == nil
    }

    /// The Engine.IO answer to a request that is not an acceptable upgrade.
    static func refusal(of request: ServiceRequest) -> SandboxService.Answer {
        let badRequest = (code: 3, message: "Bad request")
        let problem = request.rawPath == "/socket.io/" ? problem(request) ?? badRequest : badRequest
        return SandboxService.Answer(
            response: ServiceResponse(
                status: 400,
                json: ["code": .integer(Int64(problem.code)), "message": .string(problem.message)]
            ),
            violations: [
                Violation(
                    kind: .realtime,
                    message: "Only /socket.io/?EIO=4&transport=websocket with a WebSocket upgrade is served.",
                    context: "\(request.method) \(request.target)"
                )
            ]
        )
    }

    /// Engine.IO's error codes.
    private static func problem(_ request: ServiceRequest) -> (code: Int, message: String)? {
        guard request.method == "GET" else { return (2, "Bad handshake method") }
        guard var query = try? RequestQuery(request.rawQuery) else { return (3, "Bad request") }
        guard query.take("transport") == "websocket" else { return (0, "Transport unknown") }
        guard query.take("EIO") == "4" else { return (5, "Unsupported protocol version") }
        _ = query.take("t")
        return (try? query.finish()) == nil ? (3, "Bad request") : nil
    }
}
