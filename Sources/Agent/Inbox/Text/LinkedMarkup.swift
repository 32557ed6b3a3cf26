/// The markup of texts for clients on the bus, which open links by their numbers.
extension RichText {
    /// The text with its styles and links: the elements `b`, `i`, `u` and `a`, with `&`, `<` and `>` escaped; nil: it
    /// has neither.
    ///
    /// After a link whose text names another host than it opens, that host is stated.
    package var linkedMarkup: String? {
        let hasMarkup = runs.contains { run in
            !run.text.isEmpty && (!run.style.isEmpty || run.link.flatMap(Self.url) != nil)
        }
        guard hasMarkup else { return nil }
        return statingHosts { Self.url($0)?.host }.markup { Self.url($0)?.text }
    }

    /// The addresses of the links of ``linkedMarkup``, in their order.
    package var linkAddresses: [String] {
        var addresses: [String] = []
        var open: String?
        for run in statingHosts({ Self.url($0)?.host }).runs where !run.text.isEmpty {
            let link = run.link.flatMap(Self.url)?.text
            if let link, link != open { addresses.append(link) }
            open = link
        }
        return addresses
    }

    /// The link of an address, whatever its scheme: whether that is allowed is checked when the link is opened. nil: it
    /// is not an absolute URL.
    private static func url(_ address: String) -> OpenableURL? {
        OpenableURL.scheme(of: address) == nil ? nil : OpenableURL(saved: address)
    }
}
