import AgentInterface
import ClientKit
import Inbox

@testable import Agent

/// An account at Echo, a third service for tests. This folder and one line in a list is all that the agent and the
/// command need of it.
struct EchoService: AccountService {
    static let description = ServiceDescription(
        name: "echo",
        title: "Echo",
        options: [
            .init("url", help: "The address of the service.", question: "The service's address", isNeeded: true),
            .init("user", help: "Your name at the service.", question: "Your name there", isNeeded: true),
            .init(
                "language",
                help: "The language of preferences.",
                valueName: "tag",
                question: "The language of preferences",
                default: "en"
            ),
        ]
    )

    var url: String
    var user: String
    var language: String
    var pageSize: Int
    var token: TokenSource?

    init(_ table: inout ConfigurationTable, account: String) throws(ConfigurationError) {
        guard let url = try table.url("url", of: "service") else {
            throw table.error("url", "[\(table.path)] has no \"url\". Add url = \"…\".")
        }
        self.url = url
        user = try table.requiredString("user")
        language = try table.choice("language", of: ["en", "de"]) ?? "en"
        pageSize = try table.pageSize("page_size")
        token = try TokenSource(&table, account: account, service: Self.description.name)
    }

    func keys(account: String) -> [(key: String, value: String)] {
        ConfigurationTable.pairs(["url": url, "user": user, "language": language == "en" ? nil : language])
            + (token.map { [$0.pair(account: account)] } ?? []) + ConfigurationTable.pairs(pageSize: pageSize)
    }

    var holdsSecrets: Bool { token?.holdsSecrets ?? false }

    var caFile: String? { nil }

    func check() throws(ServiceProblem) {
        if user.contains(" ") { throw ServiceProblem("The user \"\(user)\" contains a space.") }
    }

    func check(token: String) throws(ServiceProblem) {
        do { _ = try EchoToken(token) } catch { throw ServiceProblem(error.message) }
    }

    var owner: InboxOwner { InboxOwner(user: user, inbox: [url, user]) }

    func makeInboxService(
        of owner: InboxOwner,
        _ environment: ServiceEnvironment
    ) throws(ServiceProblem) -> any InboxService {
        let token = environment.token(from: token)
        return EchoInbox(
            pageSize: pageSize,
            feed: EchoFeed(api(environment, token)),
            token: token,
            source: self.token ?? .file(""),
            environment: environment
        )
    }

    func examine(account: String, _ scope: CheckScope, _ environment: ServiceEnvironment) async -> ServiceFindings {
        await EchoCheck(account: account, service: self, scope: scope, environment: environment).findings()
    }

    /// The requests of this account, with the token from its source.
    func api(_ environment: ServiceEnvironment, _ token: AccountToken?) -> EchoAPI {
        let context = EchoContext(
            url: url,
            language: language,
            transport: environment.transport,
            environment: environment.forLibrary,
            logger: environment.logger
        )
        return EchoAPI(context: context) { try await token?.read() }
    }
}
