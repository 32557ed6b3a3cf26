/// The services of the agent.
package enum Services {
    package static let all: ServiceList = [
        SuprSendService.self, MagicBellService.self,
    ]
}
