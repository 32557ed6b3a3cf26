package import AgentInterface
import FoundationEssentials
import MagicBell
import VisibleText

extension MagicBellService {
    /// With labels in the user's language.
    package static var description: ServiceDescription {
        ServiceDescription(
            name: "magicbell",
            title: "MagicBell",
            tokenName: "HMAC",
            tokenLabel: "HMAC",
            tokenLogin: .init(
                key: "user_token",
                question: "Do you have a user token instead of an API key?",
                label: translated("User Token"),
                replaced: ["api-key", "email", "external-id"]
            ),
            options: [
                .init(
                    "api-key",
                    help: "The API key of the project.",
                    label: translated("API Key of the Project"),
                    question: "The project's API key",
                    isNeeded: true
                ),
                .init(
                    "email",
                    help: "Your e-mail address in the project.",
                    label: translated("Your E-Mail Address"),
                    valueName: "address",
                    question: "Your e-mail address in this project (or start again with --external-id)",
                    isNeeded: true,
                    substitutes: ["external-id"]
                ),
                .init(
                    "external-id",
                    help: "Your user ID (external id) in the project.",
                    label: translated("Your External ID, Instead of the E-Mail Address"),
                    valueName: "id"
                ),
                .init(
                    "realtime",
                    help: "What carries the events: socket or ably.",
                    label: translated("Carrier of Events"),
                    valueName: "carrier",
                    choices: MagicBellService.Realtime.allCases.map(\.rawValue)
                ),
                .apiURL,
                .socketURL,
                .init(
                    "ably-rest-url",
                    help: "The host of Ably's REST API, if not Ably's own.",
                    label: translated("Address of Ably's REST API"),
                    valueName: "url"
                ),
                .init(
                    "ably-realtime-url",
                    help: "Ably's realtime host, if not Ably's own.",
                    label: translated("Ably's Realtime Address"),
                    valueName: "url"
                ),
            ],
            signInOptions: ServiceDescription.Option.signIn,
            linkOptions: ["api-key", "email", "external-id"]
        )
    }

    package init(_ table: inout ConfigurationTable, account name: String) throws(ConfigurationError) {
        login = try Login(&table, account: name)
        apiURL = try table.url("api_url", of: "API")
        socketURL = try table.url("socket_url", of: "socket", schemes: Self.socketSchemes)
        ablyRESTURL = try table.url("ably_rest_url", of: "Ably REST")
        ablyRealtimeURL = try table.url("ably_realtime_url", of: "Ably realtime", schemes: Self.socketSchemes)
        realtime = try table.choice("realtime")
        if realtime == .ably, case .userToken = login {
            throw table.error(
                "realtime",
                "With a user token, the events of [\(table.path)] come through \"socket\" only. Remove \"realtime\"."
            )
        }
        caFile = try table.path("ca_file")
        pageSize = try table.pageSize("page_size")
        stores =
            try table.stores("stores") { (id, label, table) throws(ConfigurationError) in
                Store(
                    id: id,
                    label: label,
                    read: try table.boolean("read"),
                    seen: try table.boolean("seen"),
                    archived: try table.boolean("archived"),
                    categories: try table.strings("categories") ?? [],
                    topics: try table.strings("topics") ?? []
                )
            } ?? []
    }

    private static let socketSchemes = ["wss", "ws", "https", "http"]

    package func keys(account: String) -> [(key: String, value: String)] {
        login.keys(account: account)
            + ConfigurationTable.pairs([
                "api_url": apiURL, "socket_url": socketURL, "ably_rest_url": ablyRESTURL,
                "ably_realtime_url": ablyRealtimeURL, "realtime": realtime?.rawValue, "ca_file": caFile,
            ])
            + ConfigurationTable.pairs(pageSize: pageSize)
    }

    /// The source of the user token, or of the HMAC.
    package var token: TokenSource? {
        get {
            switch login {
            case .userToken(let source), .apiKey(_, _, _, hmac: .source(let source)?): source
            case .apiKey: nil
            }
        }
        set {
            switch login {
            case .apiKey(let key, let email, let externalID, _):
                let hmac = newValue.map { HMAC.source($0) }
                login = .apiKey(key, email: email, externalID: externalID, hmac: hmac)
            case .userToken: if let newValue { login = .userToken(newValue) }
            }
        }
    }

    /// Whether an HMAC is in the configuration, or an argument of the command looks like a token.
    package var holdsSecrets: Bool {
        if case .apiKey(_, _, _, hmac: .text?) = login { return true }
        return token?.holdsSecrets ?? false
    }

    package func check() throws(ServiceProblem) {
        guard case .apiKey(let key, let email, let externalID, let hmac) = login else { return }
        var text: String?
        if case .text(let given)? = hmac { text = given }
        do {
            _ = try UserCredentials.apiKey(key, user: UserIdentity(email: email, externalID: externalID), hmac: text)
        } catch {
            throw ServiceProblem(error.message)
        }
    }

    package func check(token: String) throws(ServiceProblem) {
        if hasUserToken {
            if (try? UserToken(token)) == nil { throw .notAToken }
        } else if !Self.isHMAC(token) {
            throw ServiceProblem(
                translated("That is not an HMAC: it has 44 characters, of which the last one is \"=\".")
            )
        }
    }

    /// Whether a text has the form of an HMAC: 32 bytes in base64.
    static func isHMAC(_ text: String) -> Bool { Data(base64Encoded: text)?.count == 32 }
}

extension MagicBellService.Login {
    fileprivate init(_ table: inout ConfigurationTable, account: String) throws(ConfigurationError) {
        let service = MagicBellService.description.name
        let key = try table.string("api_key")
        let email = try table.string("email")
        let externalID = try table.string("external_id")
        let hmac = try MagicBellService.HMAC(&table, account: account, service: service)
        let token = try TokenSource(&table, named: "user_token", account: account, service: service)
        if let token {
            let others = [
                "api_key", "email", "external_id", "hmac", "hmac_command", "hmac_file", "hmac_secret",
                "hmac_credential", "hmac_url",
            ]
            if let other = others.first(where: table.contains) {
                throw table.error(
                    other,
                    "[\(table.path)] has a user token, which names project and user, and also \"\(other)\". "
                        + "Remove one of them."
                )
            }
            self = .userToken(token)
            return
        }
        guard let key else {
            throw ConfigurationError(
                file: table.file,
                line: table.line,
                problem: """
                    [\(table.path)] has no "api_key". Add api_key = "…" and email or external_id, or a user token \
                    alone, such as user_token_command.
                    """
            )
        }
        guard email != nil || externalID != nil else {
            throw ConfigurationError(
                file: table.file,
                line: table.line,
                problem: "[\(table.path)] has neither \"email\" nor \"external_id\". Add email = \"…\"."
            )
        }
        self = .apiKey(key, email: email, externalID: externalID, hmac: hmac)
    }

    fileprivate func keys(account: String) -> [(key: String, value: String)] {
        switch self {
        case .userToken(let source): return source.pairs(named: "user_token", account: account)
        case .apiKey(let key, let email, let externalID, let hmac):
            var keys = ConfigurationTable.pairs(["api_key": key, "email": email, "external_id": externalID])
            switch hmac {
            case .text(let text)?: keys.append(("hmac", text.tomlString))
            case .source(let source)?: keys += source.pairs(named: "hmac", account: account)
            case nil: break
            }
            return keys
        }
    }
}

extension MagicBellService.HMAC {
    fileprivate init?(
        _ table: inout ConfigurationTable,
        account: String,
        service: String
    ) throws(ConfigurationError) {
        let text = try table.string("hmac")
        let source = try TokenSource(&table, named: "hmac", account: account, service: service)
        switch (text, source) {
        case (let text?, nil): self = .text(text)
        case (nil, let source?): self = .source(source)
        case (nil, nil): return nil
        case (.some, .some):
            throw table.error(
                "hmac",
                "[\(table.path)] has \"hmac\" and another source of it. Keep one of hmac, hmac_command, hmac_file, "
                    + "hmac_secret, hmac_credential and hmac_url."
            )
        }
    }
}
