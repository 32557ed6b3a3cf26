/// The values of a configured account, without secrets. `feedbell-agent show-account` prints them as JSON.
package struct AccountDetails: Sendable, Equatable, Codable {
    /// The account's name, which a link proposes; nil: it is known, or none is proposed.
    package var name: String?
    /// The service's name.
    package var provider: String
    /// The values by the name of their option of `accounts add`.
    package var values: [String: String]
    /// Whether the token alone names project and user.
    package var hasTokenAlone: Bool

    package init(provider: String, values: [String: String], hasTokenAlone: Bool) {
        self.provider = provider
        self.values = values
        self.hasTokenAlone = hasTokenAlone
    }
}
