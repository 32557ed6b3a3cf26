import ClientKit
import MagicBell

/// A page of the user API. The first line is the predicate, a letter for each filter (`r` read, `R` unread, `s` seen,
/// `S` unseen, `a` archived, `1` one category, `2` two categories) and then the size; each further line is the body of
/// an answer. An unreadable one ends the page.
func checkMagicBellPages(_ input: [UInt8]) throws(Fault) {
    let lines = Line.all(in: input)
    guard let first = lines.first else { return }
    let letters = Set([first.letter] + first.rest)
    func has(_ letter: Unicode.Scalar) -> Bool { letters.contains(UInt8(ascii: letter)) }
    let predicate = StorePredicate(
        read: has("r") ? true : has("R") ? false : nil,
        seen: has("s") ? true : has("S") ? false : nil,
        archived: has("a"),
        categories: has("2") ? ["a", "b"] : has("1") ? ["a"] : []
    )
    let size = min(max(1, Int(first.text.filter(\.isNumber)) ?? 50), Limits.page)
    var answers = lines.dropFirst()
    var cursor: InboxPageCursor?
    repeat {
        let page = try assemble(predicate, after: cursor, size: size, &answers)
        try demand(page.notifications.count <= size, "a page of \(page.notifications.count)")
        try demand(page.notifications.allSatisfy(predicate.matches), "a notification that does not match")
        try demand(Set(page.notifications.map(\.id)).count == page.notifications.count, "a notification twice")
        let times = page.notifications.map(\.sent)
        try demand(times == times.sorted(by: >), "the newest is not the first")
        cursor = page.next
    } while cursor != nil && !answers.isEmpty
}

private func assemble(
    _ predicate: StorePredicate,
    after cursor: InboxPageCursor?,
    size: Int,
    _ answers: inout ArraySlice<Line>
) throws(Fault) -> StorePage {
    var assembly: PageAssembly
    do { assembly = try PageAssembly(predicate, after: cursor, size: size) } catch {
        throw Fault(description: "its own cursor is refused")
    }
    var requests = 0
    while let (number, query) = assembly.nextQuery {
        requests += 1
        try demand(requests <= PageAssembly.mostRequests, "\(requests) requests for one page")
        try demand(1...Limits.page ~= query.limit, "a limit of \(query.limit)")
        guard let answer = answers.popFirst() else { break }
        let response = HTTPResponse(status: 200, body: [answer.letter] + answer.rest)
        guard let chunk = try? ResponseDecoder().contents(of: response, as: NotificationChunk.self) else { break }
        assembly.add(chunk, for: number)
    }
    return assembly.page
}
