extension AccountConfiguration {
    /// The account as a table of a configuration, `[accounts.NAME]`. Keys with their usual values are left out, and so are stores,
    /// which nobody makes but by hand.
    package var toml: String {
        var pairs: [(key: String, value: String)] = []
        switch service {
        case .suprSend(let service):
            pairs = [("provider", "suprsend".tomlString), ("public_key", service.publicKey.tomlString)]
            pairs.append(("distinct_id", service.distinctID.tomlString))
            if service.tenantID != "default" { pairs.append(("tenant_id", service.tenantID.tomlString)) }
            if let token = service.token { pairs.append(token.pair(account: name)) }
            for (key, text) in [
                ("hub_url", service.hubURL), ("api_url", service.apiURL), ("socket_url", service.socketURL),
                ("ca_file", service.caFile),
            ] {
                if let text { pairs.append((key, text.tomlString)) }
            }
            if service.pageSize != 20 { pairs.append(("page_size", "\(service.pageSize)")) }
        }
        return "[accounts.\(name.tomlKey)]\n" + pairs.map { "\($0.key) = \($0.value)\n" }.joined()
    }
}

extension TokenSource {
    fileprivate func pair(account: String) -> (key: String, value: String) {
        switch self {
        case .command(let words): ("token_command", "[\(words.map(\.tomlString).joined(separator: ", "))]")
        case .file(let path): ("token_file", path.tomlString)
        case .secret(TokenItem(account: account).attributes): ("token_secret", "true")
        case .secret(let attributes):
            (
                "token_secret",
                "{ "
                    + attributes.sorted { $0.key < $1.key }.map { "\($0.key.tomlKey) = \($0.value.tomlString)" }
                    .joined(separator: ", ") + " }"
            )
        }
    }
}

extension String {
    /// The text as a basic string of TOML 1.0. Control characters would end it, or are not allowed in it.
    var tomlString: String {
        var text = "\""
        for scalar in unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\u{0}"..<"\u{20}", "\u{7F}"..<"\u{A0}":
                let digits = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text + "\""
    }

    /// The text as a key of TOML 1.0, without quotes where it needs none.
    var tomlKey: String {
        let isBare = utf8.allSatisfy { byte in
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "_")
                || byte == UInt8(ascii: "-")
        }
        return isBare && !isEmpty ? self : tomlString
    }
}
