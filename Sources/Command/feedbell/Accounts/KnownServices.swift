import AgentInterface

/// The services that the agent's program supports.
enum KnownServices: ServiceCatalog {
    private static let reply = Result { () throws(AgentRequest.Failure) -> [ServiceDescription] in
        try AgentProgram.replyBlocking(to: AgentCall(.services))
    }

    /// Empty if the program gave no reply.
    static var services: [ServiceDescription] { (try? reply.get()) ?? [] }

    /// Throws if the program gave no reply.
    static func require() throws { do { _ = try reply.get() } catch { throw Failure(error) } }

    static func named(_ name: String) -> ServiceDescription? { services.first { $0.name == name } }
}
