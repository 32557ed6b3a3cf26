import Inbox

/// A pattern of a rule in the first line, and a text that it is compared with.
func checkPattern(_ input: [UInt8]) throws(Fault) {
    let parts = input.split(separator: UInt8(ascii: "\n"), maxSplits: 1, omittingEmptySubsequences: false)
    let pattern: TextPattern
    do { pattern = try TextPattern(String(decoding: parts[0], as: UTF8.self)) } catch {
        return try demand(error.sentence.hasSuffix("."), "no sentence: \(error.sentence)")
    }
    let text = PatternText(String(decoding: parts.count > 1 ? parts[1] : [], as: UTF8.self))
    let result = pattern.search(text)
    try demand(pattern.search(text) == result, "two results")
    try demand(pattern.source.hasPrefix("/") || result != .limitExceeded, "a glob has no limit")
}
