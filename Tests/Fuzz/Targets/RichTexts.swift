import Inbox
import VisibleText

/// A text of a notification, markdown or HTML.
func checkRichText(_ input: [UInt8]) throws(Fault) {
    let text = String(decoding: input, as: UTF8.self)
    let (rich, work) = RichText.read(markup: text)
    let length = text.unicodeScalars.count
    try demand(work <= 20 * length + 100, "\(work) looks at a text of \(length)")
    let plain = rich.plain
    try demand(VisibleText.lines(plain) == plain, "something invisible is left: \(plain.debugDescription)")
    try demand(plain.unicodeScalars.count <= 2 * length + 1, "the text grew to \(plain.unicodeScalars.count)")
    let markup = rich.markup
    // By bytes: a combining character may follow a tag.
    let bytes = Array(markup.utf8)
    for start in bytes.indices where bytes[start] == UInt8(ascii: "<") {
        let isOurs = ["<b>", "</b>", "<i>", "</i>", "<u>", "</u>"].contains { bytes[start...].starts(with: $0.utf8) }
        try demand(isOurs, "a tag of others: \(markup.debugDescription)")
    }
    try checkLinkedMarkup(rich)
    _ = RichText(line: text).truncated(to: 80)
}

/// The markup for clients on the bus: only our elements, closed in the reverse order, and a number for each link.
private func checkLinkedMarkup(_ rich: RichText) throws(Fault) {
    let reader = LinkReader(base: OpenableURL("https://app.example", schemes: ["https"]))
    let markup = rich.linkedMarkup(reader) ?? ""
    var rest = Array(markup.utf8)[...]
    var open: [String] = []
    var links = 0
    while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
        guard let end = rest[start...].firstIndex(of: UInt8(ascii: ">")) else {
            throw Fault(description: "an open tag: \(markup.debugDescription)")
        }
        let tag = String(decoding: rest[(start + 1)..<end], as: UTF8.self)
        rest = rest[(end + 1)...]
        if tag.hasPrefix("/") {
            try demand(open.popLast() == String(tag.dropFirst()), "wrong order: \(markup.debugDescription)")
        } else {
            let isLink = tag.hasPrefix("a href=\"")
            try demand(isLink || ["b", "i", "u"].contains(tag), "a tag of others: \(markup.debugDescription)")
            try demand(!isLink || tag.utf8.count { $0 == UInt8(ascii: "\"") } == 2, "an attribute of others: \(tag)")
            open.append(isLink ? "a" : tag)
            links += isLink ? 1 : 0
        }
    }
    try demand(open.isEmpty, "an open element: \(markup.debugDescription)")
    try demand(links == rich.linkAddresses(reader).count, "\(links) links have other numbers")
}
