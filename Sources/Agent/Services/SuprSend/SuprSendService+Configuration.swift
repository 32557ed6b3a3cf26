package import AgentInterface
package import ServiceKit
import SuprSend
import Translation

extension SuprSendService {
    /// With labels in the user's language.
    package static var description: ServiceDescription {
        ServiceDescription(
            name: "suprsend",
            title: "SuprSend",
            tokenLabel: translated("User Token"),
            options: [
                .init(
                    "public-key",
                    help: "The public key of the workspace.",
                    label: translated("Public Key of the Workspace"),
                    question: "The workspace's public key (SS.PUBK.…)",
                    isNeeded: true
                ),
                .init(
                    "distinct-id",
                    help: "Your user ID (distinct id) in the workspace.",
                    label: translated("Your User ID, Often Your E-Mail Address"),
                    question: "Your user ID in this workspace, often your e-mail address",
                    isNeeded: true
                ),
                .init(
                    "tenant-id",
                    help: "The tenant, if the workspace has tenants.",
                    label: translated("Tenant"),
                    question: "The tenant",
                    usual: "default"
                ),
                .init(
                    "language",
                    help: "The language of preferences, such as es-AR, if not the service's default.",
                    label: translated("Language of Preferences, Such as es-AR"),
                    valueName: "tag"
                ),
                .init(
                    "hub-url",
                    help: "The hub host, if not the service's own.",
                    label: translated("Hub Address"),
                    valueName: "url"
                ),
                .init(
                    "api-url",
                    help: "The API host, if not the service's own.",
                    label: translated("API Address"),
                    valueName: "url"
                ),
                .init(
                    "socket-url",
                    help: "The realtime host, if not the service's own.",
                    label: translated("Realtime Address"),
                    valueName: "url"
                ),
            ]
        )
    }

    package init(_ table: inout ConfigurationTable, account name: String) throws(ConfigurationError) {
        publicKey = try table.requiredString("public_key")
        distinctID = try table.requiredString("distinct_id")
        tenantID = try table.string("tenant_id") ?? "default"
        token = try TokenSource(&table, account: name, service: Self.description.name)
        hubURL = try table.url("hub_url", of: "hub", schemes: ["https", "http"])
        apiURL = try table.url("api_url", of: "API", schemes: ["https", "http"])
        socketURL = try table.url("socket_url", of: "socket", schemes: ["https", "http", "wss", "ws"])
        caFile = try table.path("ca_file")
        pageSize = try table.integer("page_size", in: 1...100) ?? 20
        language = try table.language("language")
        stores = try table.tableArray("stores")?.map { (table) throws(ConfigurationError) in try Store(table) }
        var ids: Set<String> = []
        for store in stores ?? [] where !ids.insert(store.id).inserted {
            throw table.error(
                "stores",
                "Two stores of [\(table.path)] have the id \"\(store.id)\". Use a different id for each."
            )
        }
    }

    package func keys(account: String) -> [(key: String, value: String)] {
        var keys = [("public_key", publicKey.tomlString), ("distinct_id", distinctID.tomlString)]
        if tenantID != "default" { keys.append(("tenant_id", tenantID.tomlString)) }
        if let token { keys.append(token.pair(account: account)) }
        for (key, text) in [
            ("hub_url", hubURL), ("api_url", apiURL), ("socket_url", socketURL), ("ca_file", caFile),
        ] {
            if let text { keys.append((key, text.tomlString)) }
        }
        if pageSize != 20 { keys.append(("page_size", "\(pageSize)")) }
        if let language { keys.append(("language", language.tomlString)) }
        return keys
    }

    /// Whether an argument of the command looks like a token.
    package var holdsSecrets: Bool {
        guard case .command(let words)? = token else { return false }
        return words.contains { $0.contains("eyJ") }
    }

    package func check() throws(ServiceProblem) {
        do { try RequestContext.check(publicKey: publicKey) } catch { throw ServiceProblem(error.message) }
    }

    package func check(token: String) throws(ServiceProblem) {
        if (try? UserToken(token)) == nil { throw .notAToken }
    }
}

extension SuprSendService.Store {
    fileprivate init(_ table: ConfigurationTable) throws(ConfigurationError) {
        var table = table
        id = try table.requiredString("id")
        label = try table.string("label") ?? id
        read = try table.boolean("read")
        archived = try table.boolean("archived")
        tags = try table.strings("tags") ?? []
        categories = try table.strings("categories") ?? []
        try table.finish()
    }
}

extension ConfigurationTable {
    /// A language tag, as in RFC 5646: words of at most 8 letters and digits, with hyphens between them.
    fileprivate mutating func language(_ key: String) throws(ConfigurationError) -> String? {
        guard let text = try string(key) else { return nil }
        let words = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        let isValid = words.allSatisfy { word in
            (1...8).contains(word.count)
                && word.allSatisfy { (48...57).contains($0) || (65...90).contains($0) || (97...122).contains($0) }
        }
        if isValid, text.utf8.count <= 35 { return text }
        throw error(key, "\"\(name(key))\" is invalid. Use a language tag, such as \"es\" or \"es-AR\".")
    }
}
