import AgentInterface
import FoundationEssentials
import ServiceOptions

/// The services that the agent's program knows. This command knows none of its own.
enum KnownServices: ServiceCatalog {
    /// Empty if the program cannot be asked.
    static let services: [ServiceDescription] = {
        guard let outcome = try? AgentProgram.find()?.runToEnd(["services"]), outcome.status == 0 else { return [] }
        return (try? JSONDecoder().decode([ServiceDescription].self, from: Data(outcome.output.utf8))) ?? []
    }()
}
