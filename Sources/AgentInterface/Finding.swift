/// One thing that was looked at, and what it means for the person whose desktop it is. `feedbell-agent check` prints them as JSON,
/// one on a line; `feedbell doctor` reads them and adds its own.
package struct Finding: Sendable, Equatable, Codable {
    /// What was looked at.
    package enum Topic: String, Sendable, Codable, CaseIterable {
        case bus, agent, notifications, popup, configuration, token, network, clock, credentials
    }

    package enum Level: String, Sendable, Codable {
        /// As it should be.
        case ok
        /// Works, but not as well as it could, or not for long.
        case warning
        /// Does not work.
        case problem
    }

    package var topic: Topic
    /// The account's name; nil: it is not about one account.
    package var account: String?
    package var level: Level
    /// What was found, in a sentence. Never contains a secret.
    package var sentence: String
    /// What to do about it, in a sentence or two; nil: nothing needs to be done.
    package var remedy: String?

    package init(_ topic: Topic, _ level: Level, account: String? = nil, _ sentence: String, remedy: String? = nil) {
        self.topic = topic
        self.account = account
        self.level = level
        self.sentence = sentence
        self.remedy = remedy
    }
}
