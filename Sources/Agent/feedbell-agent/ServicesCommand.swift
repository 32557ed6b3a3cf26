import Agent
import AgentInterface
import ArgumentParser
import FoundationEssentials
import VisibleText

/// `feedbell-agent services`, from which the command gets the supported services.
struct ServicesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "services",
        abstract: "List the supported services as JSON",
        discussion: """
            The output is a JSON array with an object for each service: name, title and the options of an account, \
            with labels in your language. The first service is the default. `feedbell accounts add` offers these \
            options and prompts for missing ones.

            Example:
              $ feedbell-agent services | jq -r '.[].name'
            """
    )

    func run() throws {
        Language.useEnvironment()
        try StandardStream.output.write(json: OwnServices.services)
    }
}

/// The services of this program.
enum OwnServices: ServiceCatalog {
    static var services: [ServiceDescription] { Services.all.map { $0.description } }
}
