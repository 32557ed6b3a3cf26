extension RequestFault {
    /// Reads the arguments of the command `fault`.
    init(_ given: inout Arguments, of service: SandboxOptions.Service) throws(CommandMistake) {
        self.init(
            try Self.kind(&given, of: service),
            method: try given.string("method"),
            path: try given.string("path") ?? "/",
            times: Int(try given.integer("times") ?? 1),
            applied: try given.bool("applied") ?? false,
            onlyUpgrades: try given.bool("upgrade") ?? false
        )
    }

    private static func kind(_ given: inout Arguments, of service: SandboxOptions.Service) throws(CommandMistake)
        -> Kind
    {
        switch try given.string("kind") ?? "status" {
        case "status": return .respond(try response(&given, of: service))
        case "html":
            return .respond(
                ServiceResponse(
                    status: Int(try given.integer("status") ?? 502),
                    headers: ["Content-Type": "text/html"],
                    body: Array("<html>bad gateway</html>".utf8)
                )
            )
        case "empty": return .respond(ServiceResponse(status: Int(try given.integer("status") ?? 200), body: []))
        case "truncated": return .truncated
        case "delay": return .delay(milliseconds: try given.count("delay_ms"))
        case "hold": return .hold
        case "close-mid-body": return .closeMidBody
        case "close": return .close
        case "reset": return .reset
        case "endless": return .endless
        case "slow-loris": return .slowLoris(milliseconds: try given.integer("interval_ms") ?? 1000)
        case "large": return .large(bytes: Int(try given.integer("bytes") ?? 100_000_000))
        default:
            throw given.wrong(
                "kind",
                "one of status, html, empty, truncated, delay, hold, close-mid-body, close, reset, endless, "
                    + "slow-loris, large"
            )
        }
    }

    /// An error in the envelope of the service, with other headers or another body.
    private static func response(_ given: inout Arguments, of service: SandboxOptions.Service) throws(CommandMistake)
        -> ServiceResponse
    {
        let status = Int(try given.integer("status") ?? 500)
        guard (200...599).contains(status) else { throw given.wrong("status", "from 200 to 599") }
        let message = "forced by the sandbox"
        var response: ServiceResponse
        switch service {
        case .suprSend: response = .error(status, "UNKNOWN_ERROR", message)
        case .magicBell: response = .magicBellError(status, try given.string("code"), message)
        }
        switch given.take("body") {
        case .string(let text)?: response.body = Array(text.utf8)
        case let json?: response.body = json.bytes
        case nil: break
        }
        for (name, value) in given.take("headers")?.object ?? [:] {
            response.headers[name] = value.string ?? value.text
        }
        return response
    }
}
