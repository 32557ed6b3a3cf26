import Basics
import ClientKit
import FoundationEssentials
import MagicBell

/// An HTTP answer: the status, then header lines, an empty line, and the body. Read as each kind of contents of both
/// APIs. The body is also read as a user token.
func checkMagicBellAnswer(_ input: [UInt8]) throws(Fault) {
    let response = HTTPResponse(text: input)
    for acceptsBareProblems in [false, true] {
        let decoder = ResponseDecoder(acceptsBareProblems: acceptsBareProblems)
        do { try decoder.check(response) } catch {
            try check(error, of: response)
            continue
        }
        try demand((200..<300).contains(response.status), "status \(response.status) is taken for a success")
    }
    if let list = try contents(of: response, as: NotificationList.self) {
        try check(list.notifications, dropped: list.dropped, received: list.received)
        let numbers = [list.counts.total, list.counts.unread, list.counts.unseen, list.currentPage, list.totalPages]
        try demand(numbers.allSatisfy { $0 ?? 0 >= 0 }, "a negative count")
    }
    if let chunk = try contents(of: response, as: NotificationChunk.self) {
        try check(chunk.notifications, dropped: chunk.dropped, received: chunk.received)
    }
    if let single = try contents(of: response, as: SingleNotification.self) { try check(single.notification) }
    if let count = try contents(of: response, as: UnreadCount.self) {
        try demand(count.count >= 0, "\(count.count) unread")
    }
    if let configuration = try contents(of: response, as: UserConfiguration.Answer.self)?.configuration {
        try demand(!configuration.channel.isEmpty, "an empty channel")
    }
    if let answer = try contents(of: response, as: NotificationPreferences.Answer.self) {
        try check(answer.preferences)
    }
    if let list = try contents(of: response, as: PushTokenList.self) {
        try demand(list.tokens.allSatisfy { Limits.isID($0.id) }, "a token without a valid id")
    }
    if case .token(let token, _)? = AblyAuthorization(response) {
        try demand(!token.isEmpty && token.utf8.count <= Limits.token, "a token of \(token.utf8.count) bytes")
    }
    let text = String(decoding: response.body, as: UTF8.self)
    if let token = try? UserToken(text) {
        try demand(token.rawValue == text, "the token was altered")
        try demand(text.utf8.count < 24 || !"\(token)".contains(text), "the description contains the token")
    }
}

/// Nil when the answer is an error, which must be a useful one.
private func contents<Contents: Decodable>(of response: HTTPResponse, as type: Contents.Type) throws(Fault) -> Contents?
{
    do { return try ResponseDecoder().contents(of: response, as: type) } catch {
        try check(error, of: response)
        return nil
    }
}

private func check(_ error: MagicBellError, of response: HTTPResponse) throws(Fault) {
    try demand(error.status == response.status, "status \(response.status) became \(error.status ?? 0)")
    try demand(!error.message.isEmpty, "an error without a sentence")
    // The service's words are cut; what stands around them is short.
    try demand(error.message.utf8.count < 2_000, "a sentence of \(error.message.utf8.count) bytes")
    try demand(error.codes.count <= Limits.codes, "\(error.codes.count) codes")
    if let pause = error.retryAfter {
        try demand((.zero ... .seconds(3600)).contains(pause), "stay away for \(pause)")
    }
}

private func check(_ notifications: [InboxNotification], dropped: [String], received: Int) throws(Fault) {
    try demand(notifications.count <= Limits.page, "a page of \(notifications.count) notifications")
    try demand(received >= notifications.count, "\(received) received, and \(notifications.count) read")
    try demand(dropped.count <= 10 && dropped.allSatisfy { $0.utf8.count <= 64 }, "\(dropped) goes to the log")
    for notification in notifications { try check(notification) }
}

private func check(_ notification: InboxNotification) throws(Fault) {
    func demand(_ text: String?, _ limit: Int, _ name: String) throws(Fault) {
        let size = text?.utf8.count ?? 0
        if size > limit { throw Fault(description: "\(name) of \(size) bytes") }
    }
    if !Limits.isID(notification.id) { throw Fault(description: "an invalid id") }
    try demand(notification.title, Limits.title, "a title")
    try demand(notification.content, Limits.content, "a text")
    try demand(notification.actionURL, Limits.url, "an address")
    try demand(notification.category, Limits.slug, "a category")
    try demand(notification.topic, Limits.slug, "a topic")
    for time in [notification.sent, notification.seen, notification.read, notification.archived].compactMap({ $0 })
    where !(0...Timestamp.latest).contains(time) {
        throw Fault(description: "a time of \(time.milliseconds)")
    }
    if notification.isRead, !notification.isSeen { throw Fault(description: "read and not seen") }
    // An app reads back the notification that it stored.
    var stored = notification
    stored.customAttributes = nil
    guard let data = try? JSONEncoder().encode(stored),
        let copy = try? JSONDecoder().decode(InboxNotification.self, from: data), copy == stored
    else { throw Fault(description: "\(notification.id) is not the same after it was stored") }
}

private func check(_ preferences: NotificationPreferences) throws(Fault) {
    let categories = preferences.categories
    try demand(categories.count <= Limits.categories, "\(categories.count) categories")
    try demand(Set(categories.map(\.slug)).count == categories.count, "a category twice")
    for category in categories {
        let channels = category.channels
        try demand(channels.count <= Limits.channels, "\(channels.count) channels")
        try demand(Set(channels.map(\.slug)).count == channels.count, "a channel twice")
        try demand((channels.map(\.slug) + [category.slug]).allSatisfy { !$0.isEmpty }, "an empty slug")
    }
    for form in [NotificationPreferences.Form.list, .map, .keys] {
        let slugs = { (preferences: NotificationPreferences) in
            preferences.categories.map { [$0.slug] + $0.channels.map { "\($0.slug)=\($0.isEnabled)" } }
        }
        let copy = try? preferences.body(form).decode(NotificationPreferences.self)
        try demand(copy.map(slugs) == slugs(preferences), "the form \(form) is not read as the same preferences")
    }
}
