/// Reads the addresses of an account's notifications, as senders write them: also without a scheme, and relative ones.
///
/// For everything that opens something: popups, rows, buttons, subtext, picture, and links in texts.
package struct LinkReader: Hashable, Sendable {
    /// Why an address cannot be opened.
    package enum Problem: Error, Hashable, Sendable {
        /// `popups.open_schemes` does not contain this one.
        case notAllowed(scheme: String)
        /// The address is relative, and the account has no ``base``.
        case noBase
        /// The address names a user before the host, as in `https://bank.example@evil.example/`.
        case namesUser
        case invalid
    }

    /// The allowed schemes, in lower case.
    package var schemes: Set<String>
    /// The web page to which relative addresses belong; nil: unknown.
    package var base: OpenableURL?

    package init(schemes: Set<String> = [], base: OpenableURL? = nil) {
        self.schemes = schemes
        self.base = base
    }

    /// The URL that an address opens.
    package func url(_ address: String) throws(Problem) -> OpenableURL {
        let absolute = try absolute(address)
        guard let scheme = OpenableURL.scheme(of: absolute) else { throw .invalid }
        guard schemes.contains(scheme) else { throw .notAllowed(scheme: scheme) }
        guard let url = OpenableURL(absolute, schemes: [scheme]) else {
            throw OpenableURL.namesUser(absolute) ? .namesUser : .invalid
        }
        return url
    }

    /// The URL of a popup that was shown before, possibly under another configuration.
    package func url(shown url: OpenableURL?) throws(Problem) -> OpenableURL? {
        if let url { try self.url(url.text) } else { nil }
    }

    /// The first of these addresses that opens; nil: there is none.
    ///
    /// - Throws: The problem of the first address, if none opens.
    package func first(of addresses: [String]) throws(Problem) -> OpenableURL? {
        var problem: Problem?
        for address in addresses {
            do throws(Problem) { return try url(address) } catch { problem = problem ?? error }
        }
        if let problem { throw problem }
        return nil
    }

    /// The URL that an address means, whatever its scheme: whether that is allowed is checked when it is opened. nil:
    /// none.
    package func anyURL(_ address: String) -> OpenableURL? {
        guard let absolute = try? absolute(address), OpenableURL.scheme(of: absolute) != nil else { return nil }
        return OpenableURL(saved: absolute)
    }

    /// An address as clients on the bus get it: absolute, if it means a URL of any scheme; otherwise as it is, or empty
    /// if it is blank.
    package func stated(_ address: String) -> String {
        if Self.isBlank(address) { return "" }
        guard let absolute = try? absolute(address), OpenableURL.scheme(of: absolute) != nil,
            OpenableURL(saved: absolute) != nil
        else { return address }
        return absolute
    }

    /// Whether there is no address.
    static func isBlank(_ address: String) -> Bool { OpenableURL.trimmed(address).isEmpty }

    /// Whether an address that is written in a text is meant as one: it begins with a scheme or a host, or is relative.
    func isAddress(_ address: String) -> Bool {
        do throws(Problem) { return OpenableURL.scheme(of: try absolute(address)) != nil } catch {
            return error == .noBase
        }
    }

    /// An address with its scheme, if it has one or needs none.
    private func absolute(_ address: String) throws(Problem) -> String {
        var text = String(OpenableURL.trimmed(address))
        if text.utf8.contains(UInt8(ascii: "&")) { text = text.replacing("&amp;", with: "&") }
        if let scheme = OpenableURL.scheme(of: text), schemes.contains(scheme) { return text }
        if text.utf8.starts(with: "//".utf8) { return "https:" + text }
        if let first = text.utf8.first, "/?".utf8.contains(first) {
            guard let base else { throw .noBase }
            return base.resolving(text)
        }
        return Self.beginsWithHost(text) ? "https://" + text : text
    }

    /// Whether an address begins with `localhost`, an IPv4 address or a name with a dot, and maybe a port.
    private static func beginsWithHost(_ address: String) -> Bool {
        let authority = Array(address.unicodeScalars.prefix { !"/?#".unicodeScalars.contains($0) })
        let host = authority.prefix { $0 != ":" }
        guard host.count == authority.count || isPort(authority[(host.endIndex + 1)...]) else { return false }
        if String(scalars: host).lowercased() == "localhost" { return true }
        guard let first = host.first, !RichText.isDot(first), host.allSatisfy(isNamePart) else { return false }
        return RichText.isHost(host.split(whereSeparator: RichText.isDot))
    }

    private static func isPort(_ text: ArraySlice<Unicode.Scalar>) -> Bool {
        text.allSatisfy { ("0"..."9").contains($0) } && UInt16(String(scalars: text)) != nil
    }

    private static func isNamePart(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII ? scalar.isWordScalar || "-_.".unicodeScalars.contains(scalar) : !scalar.isSpace
    }
}

extension Notification {
    /// The URL that a click opens: its own or, without one, the first one in its text that opens; nil: it has no link.
    package func target(_ reader: LinkReader) throws(LinkReader.Problem) -> OpenableURL? {
        if !LinkReader.isBlank(url) { return try reader.url(url) }
        return try reader.first(of: TextLinks.all(in: body).filter(reader.isAddress))
    }

    /// The URL that a click on a button or a part opens: its own or, without one, the notification's; nil: there is
    /// neither.
    ///
    /// - Parameter link: The address of the button or the part; empty if it has none.
    package func target(of link: String, _ reader: LinkReader) throws(LinkReader.Problem) -> OpenableURL? {
        LinkReader.isBlank(link) ? try target(reader) : try reader.url(link)
    }
}
