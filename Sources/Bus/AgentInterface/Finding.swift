/// The result of one check. `feedbell-agent check` prints findings as JSON, one per line; `feedbell doctor` reads them
/// and adds its own.
package struct Finding: Sendable, Equatable, Codable {
    /// The subject of a check.
    package enum Topic: String, Sendable, Codable, CaseIterable {
        case bus, agent, notifications, popup, links, configuration, token, network, clock, credentials
        /// Whether there is the account that was to be checked.
        case account
    }

    package enum Level: String, Sendable, Codable {
        /// No problem.
        case ok
        /// Works with restrictions, or will stop working.
        case warning
        /// Does not work.
        case problem
    }

    package var topic: Topic
    /// The account's name; nil if the check does not concern one account.
    package var account: String?
    package var level: Level
    /// The result in one sentence. Never contains a secret.
    package var sentence: String
    /// Advice to the user, in one or two sentences; nil if nothing needs to be done.
    package var remedy: String?
    /// The options of `accounts add` of which one has a wrong value, `token` for the token; not part of the JSON.
    package var options: [String] = []

    private enum CodingKeys: CodingKey {
        case topic, account, level, sentence, remedy
    }

    package init(
        _ topic: Topic,
        _ level: Level,
        account: String? = nil,
        _ sentence: String,
        remedy: String? = nil,
        options: [String] = []
    ) {
        self.topic = topic
        self.account = account
        self.level = level
        self.sentence = sentence
        self.remedy = remedy
        self.options = options
    }
}
