import CPCRE2

/// A regular expression in the syntax of PCRE2 (pcre2pattern(3)), with Unicode's properties of characters. It is
/// interpreted: the JIT compiler of the library needs memory that is writable and executable, which the systemd unit
/// forbids.
///
/// The pattern is the user's, but the texts are from the network: each search has limits, which the pattern can only
/// lower (`(*LIMIT_MATCH=…)`).
final class RegularExpression: Sendable {
    /// The maximum work of one search: steps of the matcher and, at a quarter each, the bytes that they pass. It takes
    /// some milliseconds.
    private static let workLimit = 250_000
    /// The work of a search before its first step: preparing it, and per byte of the text, which is checked first.
    private static let (preparation, bytesPerStep) = (16, 64)
    /// The maximum memory of one search, in KiB.
    private static let heapLimit: UInt32 = 8_192

    /// Compiled code, which is immutable: any number of searches can share it.
    private nonisolated(unsafe) let code: OpaquePointer
    private let items: PatternItems

    init(_ pattern: String, ignoresCase: Bool) throws(TextPattern.Mistake) {
        var options = PCRE2_UTF | PCRE2_UCP | PCRE2_DOTALL | PCRE2_DOLLAR_ENDONLY
        // No \C, which splits characters.
        options |= PCRE2_NEVER_BACKSLASH_C
        // A callout before each item, which counts the work.
        options |= PCRE2_AUTO_CALLOUT
        if ignoresCase { options |= PCRE2_CASELESS }
        var (error, offset) = (Int32(0), 0)
        let utf8 = Array(pattern.utf8)
        guard let code = pcre2_compile_8(utf8, utf8.count, options, &error, &offset, nil) else {
            let place = String(decoding: utf8.prefix(offset), as: UTF8.self)
            throw TextPattern.Mistake("Error after \"/\(place)\": \(Self.message(error)).")
        }
        self.code = code
        items = PatternItems(of: code, utf8)
    }

    deinit { pcre2_code_free_8(code) }

    private static func message(_ error: Int32) -> String {
        var buffer = [UInt8](repeating: 0, count: 256)
        let count = pcre2_get_error_message_8(error, &buffer, buffer.count)
        return String(decoding: buffer.prefix(Int(max(0, count))), as: UTF8.self)
    }

    func search(_ text: String, within budget: inout PatternBudget) -> TextPattern.SearchResult {
        let limit = min(Self.workLimit, budget.steps)
        guard limit > 0 else { return .limitExceeded }
        guard let context = pcre2_match_context_create_8(nil) else { return .limitExceeded }
        defer { pcre2_match_context_free_8(context) }
        guard let match = pcre2_match_data_create_8(1, nil) else { return .limitExceeded }
        defer { pcre2_match_data_free_8(match) }
        pcre2_set_match_limit_8(context, UInt32(limit))
        pcre2_set_depth_limit_8(context, UInt32(limit))
        pcre2_set_heap_limit_8(context, Self.heapLimit)
        var (text, work) = (text, SearchWork(left: limit, items: items))
        let result = withUnsafeMutablePointer(to: &work) { work in
            pcre2_set_callout_8(context, countWork, work)
            return text.withUTF8 { pcre2_match_8(code, $0.baseAddress, $0.count, 0, 0, match, context) }
        }
        budget.spend(limit - work.left + Self.preparation + text.utf8.count / Self.bytesPerStep)
        switch result {
        case 0...: return .match
        case PCRE2_ERROR_NOMATCH: return .noMatch
        // One of the limits, or an endless recursion of the pattern.
        default: return .limitExceeded
        }
    }
}
