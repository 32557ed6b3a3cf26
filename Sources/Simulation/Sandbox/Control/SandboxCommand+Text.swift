extension SandboxCommand {
    /// Parses a line such as `publish {"text":"Hi"}`; nil for an empty line.
    package static func line(_ line: String, of service: SandboxOptions.Service = .suprSend) throws(CommandMistake)
        -> SandboxCommand?
    {
        let parts = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: true)
        guard let name = parts.first else { return nil }
        return try SandboxCommand(name: String(name), text: parts.count > 1 ? String(parts[1]) : "", of: service)
    }

    /// Parses a name and the text of a JSON object; empty text is `{}`.
    package init(name: String, text: String, of service: SandboxOptions.Service = .suprSend) throws(CommandMistake) {
        guard text.contains(where: { !$0.isWhitespace }) else {
            try self.init(name: name, of: service)
            return
        }
        guard let json = JSON(parsing: text) else {
            throw CommandMistake("The arguments of '\(name)' are not JSON: \(text)")
        }
        try self.init(name: name, arguments: json, of: service)
    }
}
