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
    _ = RichText(line: text).truncated(to: 80)
}
