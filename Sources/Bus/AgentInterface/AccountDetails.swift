/// The values of an account, without secrets.
package struct AccountDetails: Sendable, Equatable, Codable {
    /// The account's name; nil: a link proposes none, or it is not known yet.
    package var name: String?
    /// The service's name.
    package var provider: String
    /// The values by the name of their option of `accounts add`.
    package var values: [String: String]
    /// Whether the token alone names project and user.
    package var hasTokenAlone: Bool

    package init(name: String? = nil, provider: String, values: [String: String], hasTokenAlone: Bool) {
        self.name = name
        self.provider = provider
        self.values = values
        self.hasTokenAlone = hasTokenAlone
    }
}
