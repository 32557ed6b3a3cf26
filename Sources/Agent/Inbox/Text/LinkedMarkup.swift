/// The markup of texts for clients on the bus, which open links by their numbers.
extension RichText {
    /// The text with its styles and links: the elements `b`, `i`, `u` and `a`, with `&`, `<` and `>` escaped; nil: it
    /// has neither. Web addresses that are written out are links, too.
    ///
    /// After a link whose text names another host than it opens, that host is stated. Links have any scheme: whether it
    /// is allowed is checked when one is opened.
    package func linkedMarkup(_ reader: LinkReader) -> String? {
        let linked = linkingAddresses
        let hasMarkup = linked.runs.contains { run in
            !run.text.isEmpty && (!run.style.isEmpty || run.link.flatMap(reader.anyURL) != nil)
        }
        guard hasMarkup else { return nil }
        return linked.statingHosts { reader.anyURL($0)?.host }.markup { reader.anyURL($0)?.text }
    }

    /// The addresses of the links of ``linkedMarkup(_:)``, in their order.
    package func linkAddresses(_ reader: LinkReader) -> [String] {
        var addresses: [String] = []
        var open: String?
        for run in linkingAddresses.statingHosts({ reader.anyURL($0)?.host }).runs where !run.text.isEmpty {
            let link = run.link.flatMap(reader.anyURL)?.text
            if let link, link != open { addresses.append(link) }
            open = link
        }
        return addresses
    }

    /// The text, with links to the web addresses that are written out in it.
    private var linkingAddresses: RichText {
        var linked: [Run] = []
        var index = runs.startIndex
        while index < runs.endIndex {
            // An address may have several styles.
            let end = runs[index...].firstIndex { $0.link != nil } ?? runs.endIndex
            linked += Self.linkingAddresses(in: runs[index..<end])
            if end < runs.endIndex { linked.append(runs[end]) }
            index = end + 1
        }
        return RichText(linked)
    }

    private static func linkingAddresses(in runs: ArraySlice<Run>) -> [Run] {
        guard runs.contains(where: { $0.text.utf8.contains(UInt8(ascii: ":")) }) else { return Array(runs) }
        let text = runs.flatMap { Array($0.text.unicodeScalars) }
        let ranges = TextLinks.plainRanges(in: text)
        if ranges.isEmpty { return Array(runs) }
        var linked: [Run] = []
        var start = 0
        for run in runs {
            let end = start + run.text.unicodeScalars.count
            var position = start
            func append(to limit: Int, link: String?) {
                if position < limit {
                    linked.append(Run(String(scalars: text[position..<limit]), run.style, link: link))
                }
                position = max(position, limit)
            }
            for range in ranges where range.overlaps(start..<end) {
                append(to: max(start, range.lowerBound), link: nil)
                append(to: min(end, range.upperBound), link: String(scalars: text[range]))
            }
            append(to: end, link: nil)
            start = end
        }
        return linked
    }
}
