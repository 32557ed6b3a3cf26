/// Links whose text names another host than they open, such as `[https://bank.example](https://evil.example)`.
extension RichText {
    /// The text, with the host in parentheses after each link whose text names another one.
    ///
    /// - Parameter host: The host that an address opens, in lower case; nil: its text is no link.
    func statingHosts(_ host: (_ address: String) -> String?) -> RichText {
        var stated: [Run] = []
        var text = ""
        for (index, run) in runs.enumerated() {
            stated.append(run)
            guard let link = run.link else { continue }
            text += run.text
            if index + 1 < runs.count, runs[index + 1].link == link { continue }
            if let opened = host(link), Self.hosts(in: text).contains(where: { !Self.isSite($0, of: opened) }) {
                stated.append(Run(" (\(opened))"))
            }
            text = ""
        }
        return RichText(stated)
    }

    /// The names that a reader takes for hosts: names with a dot, except those in paths.
    private static func hosts(in text: String) -> [String] {
        var hosts: [String] = []
        for word in text.split(whereSeparator: \.isWhitespace) where word.unicodeScalars.contains(where: isDot) {
            // Invisible characters do not hide a name.
            var rest = Array(word.unicodeScalars.lazy.filter { !$0.properties.isDefaultIgnorableCodePoint })[...]
            while let start = rest.firstIndex(where: isNamePart) {
                let end = rest[start...].firstIndex { !isNamePart($0) } ?? rest.endIndex
                let labels = rest[start..<end].split(whereSeparator: isDot)
                rest = rest[end...]
                guard isHost(labels) else { continue }
                hosts.append(labels.map { String(scalars: $0) }.joined(separator: ".").lowercased())
                // A port or a path follows, unless it was a user's name with a password.
                if let next = rest.first, "/:?#".unicodeScalars.contains(next) { rest = rest.drop { $0 != "@" } }
            }
        }
        return hosts
    }

    /// Whether the end is a top-level domain, or the four parts are an IP address.
    static func isHost(_ labels: [ArraySlice<Unicode.Scalar>]) -> Bool {
        guard labels.count > 1, let last = labels.last else { return false }
        let isNumber = { (label: ArraySlice<Unicode.Scalar>) in label.allSatisfy { ("0"..."9").contains($0) } }
        return last.count > 1 && last.contains { $0.properties.isAlphabetic }
            || labels.count == 4 && labels.allSatisfy(isNumber)
    }

    /// Whether the opened host is the named one or a part of it, such as `www.example.com` of `example.com`.
    private static func isSite(_ named: String, of opened: String) -> Bool {
        let named = named.hasPrefix("www.") ? String(named.dropFirst(4)) : named
        return opened == named || opened.hasSuffix("." + named)
    }

    private static func isNamePart(_ scalar: Unicode.Scalar) -> Bool {
        isDot(scalar) || scalar == "-" || scalar == "_" || scalar.properties.isAlphabetic
            || scalar.properties.numericType != nil
    }

    /// Dots, also those that browsers accept in names (UTS #46).
    static func isDot(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case ".", "。", "．", "｡": true
        default: false
        }
    }
}
