import AgentInterface
import Inbox
import ServiceKit

/// A third service without client library and network, whose notifications are in its account. This folder and one line
/// in a list is all that the agent and the command need of it.
struct EchoService: AccountService {
    static let description = ServiceDescription(
        name: "echo",
        title: "Echo",
        options: [
            .init("text", help: "What it says.", question: "What it is to say", isNeeded: true),
            .init("volume", help: "How loudly.", valueName: "level", question: "How loudly", usual: "normal"),
        ]
    )

    var text: String
    var volume: String
    var token: TokenSource?

    init(_ table: inout ConfigurationTable, account: String) throws(ConfigurationError) {
        text = try table.requiredString("text")
        volume = try table.choice("volume", of: ["normal", "high"]) ?? "normal"
        token = try TokenSource(&table, account: account, service: Self.description.name)
    }

    func keys(account: String) -> [(key: String, value: String)] {
        [("text", text.tomlString)] + (volume == "normal" ? [] : [("volume", volume.tomlString)])
            + (token.map { [$0.pair(account: account)] } ?? [])
    }

    var holdsSecrets: Bool { text.contains("secret") }

    func check() throws(ServiceProblem) {
        if text == "hush" { throw ServiceProblem("Echo cannot say \"hush\".") }
    }

    var owner: InboxOwner { InboxOwner(user: text, inbox: [text]) }

    func makeInboxService(
        of owner: InboxOwner,
        _ environment: ServiceEnvironment
    ) throws(ServiceProblem) -> any InboxService {
        EchoInbox(text: text, now: environment.now)
    }

    func examine(account: String, _ scope: CheckScope, _ environment: ServiceEnvironment) async -> ServiceFindings {
        ServiceFindings([Finding(.network, .ok, account: account, "Echo answers: \(text).")], clockOffset: 0)
    }
}
