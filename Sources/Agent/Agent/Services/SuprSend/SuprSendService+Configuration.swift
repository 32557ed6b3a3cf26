package import AgentInterface
import SuprSend
import VisibleText

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
                    default: "default"
                ),
                .init(
                    "language",
                    help: "The language of preferences, such as es-AR, if not the service's default.",
                    label: translated("Language of Preferences, Such as es-AR"),
                    valueName: "tag"
                ),
                .url("hub-url", host: "hub host", label: translated("Hub Address")),
                .apiURL,
                .socketURL,
            ],
            signInOptions: ServiceDescription.Option.signIn,
            linkOptions: ["public-key", "distinct-id", "tenant-id"]
        )
    }

    package init(_ table: inout ConfigurationTable, account name: String) throws(ConfigurationError) {
        publicKey = try table.requiredString("public_key")
        distinctID = try table.requiredString("distinct_id")
        tenantID = try table.string("tenant_id") ?? "default"
        token = try TokenSource(&table, account: name, service: Self.description.name)
        hubURL = try table.url("hub_url", of: "hub")
        apiURL = try table.url("api_url", of: "API")
        socketURL = try table.url("socket_url", of: "socket", schemes: ["https", "http", "wss", "ws"])
        caFile = try table.path("ca_file")
        pageSize = try table.pageSize("page_size")
        language = try table.language("language")
        preferenceTags = try table.preferenceTags("preference_tags")
        stores = try table.stores("stores") { (id, label, table) throws(ConfigurationError) in
            Store(
                id: id,
                label: label,
                read: try table.boolean("read"),
                archived: try table.boolean("archived"),
                tags: try table.strings("tags") ?? [],
                categories: try table.strings("categories") ?? []
            )
        }
    }

    package func keys(account: String) -> [(key: String, value: String)] {
        ConfigurationTable.pairs([
            "public_key": publicKey, "distinct_id": distinctID, "tenant_id": tenantID == "default" ? nil : tenantID,
        ])
            + (token?.pairs(account: account) ?? [])
            + ConfigurationTable.pairs([
                "hub_url": hubURL, "api_url": apiURL, "socket_url": socketURL, "ca_file": caFile,
            ])
            + ConfigurationTable.pairs(pageSize: pageSize)
            + ConfigurationTable.pairs(["language": language])
    }

    package var holdsSecrets: Bool { token?.holdsSecrets ?? false }

    package func check() throws(ServiceProblem) {
        do { try RequestContext.check(publicKey: publicKey) } catch { throw ServiceProblem(error.message) }
    }

    package func check(token: String) throws(ServiceProblem) {
        if (try? UserToken(token)) == nil { throw .notAToken }
    }

    package func user(ofToken token: String) -> String? { (try? UserToken(token))?.distinctID }
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
