/// A supported service: its names and the options of its accounts. `feedbell-agent services` prints them as JSON;
/// `feedbell accounts add` offers the options and prompts for missing ones.
package struct ServiceDescription: Sendable, Equatable, Codable {
    /// One value of an account.
    package struct Option: Sendable, Equatable, Codable {
        /// The option of `accounts add`: `api-key` for `--api-key`.
        package var name: String
        /// Its line in the help.
        package var help: String
        /// The placeholder of its value in the help; nil: the name of the option.
        package var valueName: String?
        /// The prompt at a terminal; nil: no prompt.
        package var question: String?
        /// The default value.
        package var usual: String?
        /// Whether it is required.
        package var isNeeded: Bool
        /// The names of options, each of which makes this one unnecessary.
        package var substitutes: [String]

        package init(
            _ name: String,
            help: String,
            valueName: String? = nil,
            question: String? = nil,
            usual: String? = nil,
            isNeeded: Bool = false,
            substitutes: [String] = []
        ) {
            self.name = name
            self.help = help
            self.valueName = valueName
            self.question = question
            self.usual = usual
            self.isNeeded = isNeeded
            self.substitutes = substitutes
        }

        /// Whether it is required beside these values, by name.
        package func isNeeded(beside values: [String: String]) -> Bool {
            isNeeded && !isReplaced(by: values)
        }

        /// Whether one of these values, by name, makes it unnecessary.
        package func isReplaced(by values: [String: String]) -> Bool { substitutes.contains { values[$0] != nil } }

        /// The key in the configuration: `api_key`.
        package var key: String { name.replacing("-", with: "_") }
    }

    /// The name in the configuration and on the bus.
    package var name: String
    /// The name to display.
    package var title: String
    /// In the order of the questions.
    package var options: [Option]

    package init(name: String, title: String, options: [Option]) {
        self.name = name
        self.title = title
        self.options = options
    }
}
