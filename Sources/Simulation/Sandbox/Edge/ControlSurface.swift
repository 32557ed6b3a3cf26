/// `/control/NAME`: commands over HTTP. Listings also answer GET; everything else is POST with a JSON object.
struct ControlSurface {
    let engine: Engine

    /// The answer to a control request; nil for any other path.
    func answer(_ request: ServiceRequest) async -> ServiceResponse? {
        guard request.rawPath.hasPrefix("/control/") else { return nil }
        do throws(CommandMistake) {
            let name = String(request.rawPath.dropFirst("/control/".count))
            let command = try SandboxCommand(name, text: String(decoding: request.body, as: UTF8.self))
            return ServiceResponse(json: try await engine.execute(command, mayChange: request.method != "GET"))
        } catch {
            return ServiceResponse(status: 400, json: ["error": .string(error.sentence)])
        }
    }
}
