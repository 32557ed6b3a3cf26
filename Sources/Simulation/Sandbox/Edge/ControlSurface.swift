/// `/control/NAME`: commands over HTTP. Listings also answer GET; everything else is POST with a JSON object.
struct ControlSurface {
    let engine: Engine

    /// The answer to a control request; nil for any other path.
    func answer(_ request: ServiceRequest) async -> ServiceResponse? {
        guard request.rawPath.hasPrefix("/control/") else { return nil }
        do throws(CommandMistake) {
            let name = String(request.rawPath.dropFirst("/control/".count))
            let text = String(decoding: request.body, as: UTF8.self)
            let command = try SandboxCommand(name: name, text: text, of: engine.options.service)
            if request.method == "GET", !command.isListing {
                throw CommandMistake("'\(name)' changes something: use POST.")
            }
            return ServiceResponse(json: try await engine.perform(command))
        } catch {
            return ServiceResponse(status: 400, json: ["error": .string(error.sentence)])
        }
    }
}

extension SandboxCommand {
    /// Whether the command changes nothing.
    fileprivate var isListing: Bool {
        switch self {
        case .list, .help, .token, .magicBell(.list), .magicBell(.token), .magicBell(.hmac): true
        default: false
        }
    }
}
