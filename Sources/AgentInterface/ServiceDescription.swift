/// A service that accounts can be of, for whoever adds one: its names, and what has to be given. `feedbell-agent services` prints them as
/// JSON; `feedbell accounts add` offers them as options, and asks for what is not given.
package struct ServiceDescription: Sendable, Equatable, Codable {
    /// One value that an account of the service has.
    package struct Option: Sendable, Equatable, Codable {
        /// As an option of `accounts add`: `api-key` for `--api-key`.
        package var name: String
        /// In the list of options.
        package var help: String
        /// What the list of options calls its value; nil: as the option.
        package var valueName: String?
        /// How a person at a terminal is asked for it; nil: they are not.
        package var question: String?
        /// What it is when nothing is given.
        package var usual: String?
        /// Whether there is no account without it.
        package var isNeeded: Bool

        package init(
            _ name: String,
            help: String,
            valueName: String? = nil,
            question: String? = nil,
            usual: String? = nil,
            isNeeded: Bool = false
        ) {
            self.name = name
            self.help = help
            self.valueName = valueName
            self.question = question
            self.usual = usual
            self.isNeeded = isNeeded
        }

        /// As a key of the configuration: `api_key`.
        package var key: String { name.replacing("-", with: "_") }
    }

    /// In the configuration and on the bus.
    package var name: String
    /// For people.
    package var title: String
    /// In the order in which they are asked for.
    package var options: [Option]

    package init(name: String, title: String, options: [Option]) {
        self.name = name
        self.title = title
        self.options = options
    }
}
