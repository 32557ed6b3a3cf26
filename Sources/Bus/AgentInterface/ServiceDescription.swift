/// A supported service: its names and the options of its accounts. `feedbell accounts add` offers the options and
/// prompts for missing ones.
package struct ServiceDescription: Sendable, Equatable, Codable {
    /// One value of an account.
    package struct Option: Sendable, Equatable, Codable {
        /// The option of `accounts add`: `api-key` for `--api-key`.
        package var name: String
        /// The line in the help.
        package var help: String
        /// The label in a form, in the user's language; nil: the name.
        package var label: String?
        /// The placeholder of its value in the help; nil: the name of the option.
        package var valueName: String?
        /// The prompt at a terminal; nil: no prompt.
        package var question: String?
        /// The default value.
        package var defaultValue: String?
        /// The possible values; nil: any.
        package var choices: [String]?
        /// Whether the option is required.
        package var isNeeded: Bool
        /// The names of options, each of which makes this one unnecessary.
        package var substitutes: [String]

        package init(
            _ name: String,
            help: String,
            label: String? = nil,
            valueName: String? = nil,
            question: String? = nil,
            default defaultValue: String? = nil,
            choices: [String]? = nil,
            isNeeded: Bool = false,
            substitutes: [String] = []
        ) {
            self.name = name
            self.help = help
            self.label = label
            self.valueName = valueName
            self.question = question
            self.defaultValue = defaultValue
            self.choices = choices
            self.isNeeded = isNeeded
            self.substitutes = substitutes
        }

        /// Whether the option is required beside these values, by name.
        package func isNeeded(beside values: [String: String]) -> Bool {
            isNeeded && !isReplaced(by: values)
        }

        /// Whether one of these values, by name, makes it unnecessary.
        package func isReplaced(by values: [String: String]) -> Bool { substitutes.contains { values[$0] != nil } }

        /// The key in the configuration: `api_key`.
        package var key: String { name.replacing("-", with: "_") }
    }

    /// The login with a token that names its project and user.
    package struct TokenLogin: Sendable, Equatable, Codable {
        /// The beginning of the keys of the source of the token: `x` for `x_command`.
        package var key: String
        /// The prompt at a terminal, to be answered by yes or no.
        package var question: String
        /// The token's label in a form, in the user's language; nil: its name in prompts.
        package var label: String?
        /// The names of the options that the token replaces.
        package var replaced: [String]

        package init(key: String, question: String, label: String? = nil, replaced: [String]) {
            self.key = key
            self.question = question
            self.label = label
            self.replaced = replaced
        }

        /// The token's name in prompts.
        package var tokenName: String { key.replacing("_", with: " ") }
    }

    /// The name in the configuration and on the bus.
    package var name: String
    /// The name to display.
    package var title: String
    /// The name, in prompts, of the token that goes with the options.
    package var tokenName: String
    /// The token's label in a form, in the user's language; nil: the usual one.
    package var tokenLabel: String?
    /// The login with a token alone; nil: there is none.
    package var tokenLogin: TokenLogin?
    /// In the order of the questions.
    package var options: [Option]
    /// The options of an account whose token comes from a sign-in with the browser; empty: there is no such sign-in.
    package var signInOptions: [Option]
    /// The names of the options that a link may have beside these: those whose values are public, and no hosts.
    package var linkOptions: [String]

    package init(
        name: String,
        title: String,
        tokenName: String = "token",
        tokenLabel: String? = nil,
        tokenLogin: TokenLogin? = nil,
        options: [Option],
        signInOptions: [Option] = [],
        linkOptions: [String] = []
    ) {
        self.name = name
        self.title = title
        self.tokenName = tokenName
        self.tokenLabel = tokenLabel
        self.tokenLogin = tokenLogin
        self.options = options
        self.signInOptions = signInOptions
        self.linkOptions = linkOptions
    }

    /// The description of accounts with a token alone; nil: the service has none.
    package var withTokenAlone: ServiceDescription? {
        guard let tokenLogin else { return nil }
        return ServiceDescription(
            name: name,
            title: title,
            tokenName: tokenLogin.tokenName,
            tokenLabel: tokenLogin.label,
            tokenLogin: tokenLogin,
            options: options.filter { !tokenLogin.replaced.contains($0.name) },
            signInOptions: signInOptions
        )
    }

    /// The beginning of the keys of the source of the token: `x` for `x_command`.
    package var tokenKey: String { tokenName.lowercased().replacing(" ", with: "_") }

    /// All options that an account may have.
    package var allOptions: [Option] { options + signInOptions }

    /// Whether some of these values, by name, belong to a sign-in with the browser.
    package func hasSignIn(_ values: [String: String]) -> Bool {
        signInOptions.contains { values[$0.name] != nil }
    }
}
