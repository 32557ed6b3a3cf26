import AgentInterface
import ArgumentParser
import FoundationEssentials
import ServiceKit
import ServiceOptions
import Services

/// `feedbell-agent services`, by which the command knows what accounts can be of.
struct ServicesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "services",
        abstract: "List the supported services as JSON",
        discussion: """
            Prints a JSON array with an object for each service: name, title, and options; the first one is meant where none is \
            named. `feedbell accounts add` offers the options, and asks for what is not given.

            Example:
              $ feedbell-agent services | jq -r '.[].name'
            """
    )

    func run() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        print(String(decoding: try encoder.encode(OwnServices.services), as: UTF8.self))
    }
}

/// The services of this program.
enum OwnServices: ServiceCatalog {
    static var services: [ServiceDescription] { Services.all.map { $0.description } }
}
