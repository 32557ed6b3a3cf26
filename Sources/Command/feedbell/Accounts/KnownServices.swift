import AgentInterface
import FoundationEssentials

/// The services that the agent's program supports.
enum KnownServices: ServiceCatalog {
    /// Empty if the program cannot be run.
    static let services: [ServiceDescription] = {
        guard let outcome = try? AgentProgram.find()?.runToEnd(["services"]), outcome.status == 0 else { return [] }
        return (try? JSONDecoder().decode([ServiceDescription].self, from: Data(outcome.output.utf8))) ?? []
    }()

    static func named(_ name: String) -> ServiceDescription? { services.first { $0.name == name } }
}
