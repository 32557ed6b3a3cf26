import Basics
import ClientKit
import FoundationEssentials
import SuprSend

/// An HTTP answer: the status, then header lines, an empty line, and the body. Read as each kind of contents the feed
/// asks for.
func checkAnswer(_ input: [UInt8]) throws(Fault) {
    let response = HTTPResponse(text: input)
    let page = try contents(of: response, as: NotificationPage.self)
    let row = try contents(of: response, as: FeedNotification.self)
    let counts = try contents(of: response, as: NotificationCounts.self)
    _ = try contents(of: response, as: Acknowledgement.self)
    if let page {
        try demand(page.total ?? 0 >= 0, "a total of \(page.total ?? 0)")
        try demand(page.rows.count <= Limits.rows, "a page of \(page.rows.count) rows")
        try demand(page.dropped.allSatisfy { $0.utf8.count <= Limits.loggedID }, "\(page.dropped) goes to the log")
        for row in page.rows { try checkRow(row) }
    }
    if let row { try checkRow(row) }
    if let counts {
        try demand(counts.badge >= 0 && counts.stores.values.allSatisfy { $0 >= 0 }, "\(counts) has a negative number")
        try demand(counts.stores["badge"] == nil, "the badge is no store")
    }
}

/// Nil when the answer is an error, which must be a useful one.
private func contents<Contents: Decodable>(of response: HTTPResponse, as type: Contents.Type) throws(Fault) -> Contents?
{
    let contents: Contents
    do { contents = try ResponseDecoder.decode(response, as: type) } catch {
        try demand(error.status == response.status, "status \(response.status) became \(error.status ?? 0)")
        try demand(!error.message.isEmpty, "an error without a sentence")
        // The service's words are cut; what stands around them is short.
        try demand(error.message.utf8.count < 2_000, "a sentence of \(error.message.utf8.count) bytes")
        try demand(error.serviceType?.utf8.count ?? 0 < 2_000, "a type of \(error.serviceType?.utf8.count ?? 0) bytes")
        if let pause = error.retryAfter {
            try demand((.zero ... .seconds(3600)).contains(pause), "stay away for \(pause)")
        }
        return nil
    }
    try demand((200..<300).contains(response.status), "status \(response.status) is taken for a success")
    return contents
}

private func checkRow(_ row: FeedNotification) throws(Fault) {
    try demand(!row.id.isEmpty, "a row without an id")
    try checkSize(row)
    try demand((0...Timestamp.latest).contains(row.created), "made at \(row.created.milliseconds)")
    for time in [row.seen, row.read, row.interacted, row.expiry].compactMap({ $0 }) {
        try demand((0...Timestamp.latest).contains(time), "a time of \(time.milliseconds)")
    }
    try demand(row.expiresOn?.timeIntervalSince1970 != 0, "an expiry of 0, which means never")
    try demand(
        (row.seenOn != nil) == row.isSeen && (row.readOn != nil) == row.isRead,
        "\(row.id): seen, read and their times differ"
    )
}

/// No row is larger than the limits allow.
func checkSize(_ row: FeedNotification) throws(Fault) {
    func demand(_ text: String?, _ limit: Int, _ name: String) throws(Fault) {
        let size = text?.utf8.count ?? 0
        if size > limit { throw Fault(description: "\(name) of \(size) bytes") }
    }
    try demand(row.id, Limits.id, "an id")
    for name in [row.category, row.tenantID, row.importance, row.message.schema] {
        try demand(name, Limits.name, "a name")
    }
    for tag in row.tags { try demand(tag, Limits.tag, "a tag") }
    try demand(row.message.header, Limits.title, "a title")
    try demand(row.message.text, Limits.text, "a text")
    try demand(row.message.subtext?.text, Limits.subtext, "a line below the text")
    let message = row.message
    for url in [message.url, message.avatar?.url, message.avatar?.actionURL, message.subtext?.actionURL] {
        try demand(url, Limits.url, "an address")
    }
    try demand(message.extraData, Limits.extraData, "the sender's own data")
    for action in message.actions {
        try demand(action.name, Limits.name, "a button's name")
        try demand(action.url, Limits.url, "a button's address")
    }
    if row.tags.count > Limits.tags { throw Fault(description: "\(row.tags.count) tags") }
    if message.actions.count > Limits.actions { throw Fault(description: "\(message.actions.count) buttons") }
}

extension HTTPResponse {
    /// A text that is no answer becomes a body with status 200.
    init(text: [UInt8]) {
        self.init(status: 200)
        let lines = text.split(separator: UInt8(ascii: "\n"), maxSplits: 20, omittingEmptySubsequences: false)
        guard let status = lines.first.flatMap({ Int(String(decoding: $0, as: UTF8.self)) }),
            let end = lines.firstIndex(where: \.isEmpty)
        else {
            body = text
            return
        }
        self.status = status
        headers = lines[1..<end].map { line in
            let parts = line.split(separator: UInt8(ascii: ":"), maxSplits: 1)
            let words = parts.map { String(decoding: $0.drop { $0 == UInt8(ascii: " ") }, as: UTF8.self) }
            return HTTPField(words.first ?? "", words.count > 1 ? words[1] : "")
        }
        body = Array(text[lines[end].endIndex...].dropFirst())
    }
}
