import Basics

extension String {
    /// The text as a basic string of TOML 1.0, with control characters escaped.
    package var tomlString: String { quoted { $0.properties.generalCategory == .control } }

    /// The name of the table of the account with this name, such as `accounts.work`.
    package var accountTable: String { "accounts.\(tomlKey)" }

    /// The text as a key of TOML 1.0, quoted if necessary.
    package var tomlKey: String {
        let isBare = utf8.allSatisfy { $0.isAlphanumeric || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-") }
        return isBare && !isEmpty ? self : tomlString
    }
}
