/// The markup of texts for clients on the bus, which open links by their numbers.
extension RichText {
    /// The text with its styles and links: the elements `b`, `i`, `u` and `a`, with `&`, `<` and `>` escaped; nil: it
    /// has neither.
    ///
    /// After a link whose text names another host than it opens, that host is stated. Links have any scheme: whether it
    /// is allowed is checked when one is opened.
    package func linkedMarkup(_ reader: LinkReader) -> String? {
        let hasMarkup = runs.contains { run in
            !run.text.isEmpty && (!run.style.isEmpty || run.link.flatMap(reader.anyURL) != nil)
        }
        guard hasMarkup else { return nil }
        return statingHosts { reader.anyURL($0)?.host }.markup { reader.anyURL($0)?.text }
    }

    /// The addresses of the links of ``linkedMarkup(_:)``, in their order.
    package func linkAddresses(_ reader: LinkReader) -> [String] {
        var addresses: [String] = []
        var open: String?
        for run in statingHosts({ reader.anyURL($0)?.host }).runs where !run.text.isEmpty {
            let link = run.link.flatMap(reader.anyURL)?.text
            if let link, link != open { addresses.append(link) }
            open = link
        }
        return addresses
    }
}
