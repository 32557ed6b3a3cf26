extension RequestFault {
    /// Reads the arguments of the command `fault`.
    init(_ command: inout SandboxCommand, of service: SandboxOptions.Service) throws(CommandMistake) {
        self.init(
            try Self.kind(&command, of: service),
            method: try command.string("method"),
            path: try command.string("path") ?? "/",
            times: Int(try command.integer("times") ?? 1),
            applied: try command.bool("applied") ?? false,
            onlyUpgrades: try command.bool("upgrade") ?? false
        )
    }

    private static func kind(_ command: inout SandboxCommand, of service: SandboxOptions.Service) throws(CommandMistake)
        -> Kind
    {
        switch try command.string("kind") ?? "status" {
        case "status": return .respond(try response(&command, of: service))
        case "html":
            return .respond(
                ServiceResponse(
                    status: Int(try command.integer("status") ?? 502),
                    headers: ["Content-Type": "text/html"],
                    body: Array("<html>bad gateway</html>".utf8)
                )
            )
        case "empty": return .respond(ServiceResponse(status: Int(try command.integer("status") ?? 200), body: []))
        case "truncated": return .truncated
        case "delay": return .delay(milliseconds: try command.duration("delay_ms"))
        case "hold": return .hold
        case "close-mid-body": return .closeMidBody
        case "close": return .close
        case "reset": return .reset
        case "endless": return .endless
        case "slow-loris": return .slowLoris(milliseconds: try command.integer("interval_ms") ?? 1000)
        case "large": return .large(bytes: Int(try command.integer("bytes") ?? 100_000_000))
        default:
            throw command.wrong(
                "kind",
                "one of status, html, empty, truncated, delay, hold, close-mid-body, close, reset, endless, "
                    + "slow-loris, large"
            )
        }
    }

    /// An error in the envelope of the service, with other headers or another body.
    private static func response(_ command: inout SandboxCommand, of service: SandboxOptions.Service)
        throws(CommandMistake)
        -> ServiceResponse
    {
        let status = Int(try command.integer("status") ?? 500)
        guard (200...599).contains(status) else { throw command.wrong("status", "from 200 to 599") }
        let message = "forced by the sandbox"
        var response: ServiceResponse
        switch service {
        case .suprSend: response = .error(status, "UNKNOWN_ERROR", message)
        case .magicBell: response = .magicBellError(status, try command.string("code"), message)
        }
        switch command.take("body") {
        case .string(let text)?: response.body = Array(text.utf8)
        case let json?: response.body = json.bytes
        case nil: break
        }
        for (name, value) in command.take("headers")?.object ?? [:] {
            response.headers[name] = value.string ?? value.text
        }
        return response
    }
}
