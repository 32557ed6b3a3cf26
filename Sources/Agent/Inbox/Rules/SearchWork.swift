import CPCRE2

/// Counts the work of a search for a regular expression, in a callout before each item of the pattern.
///
/// The match limit of PCRE2 begins again at each place where a match could start, and does not count the characters
/// that an item such as `\w++` passes: `/[a-z]+\d/` would take seconds for a long word.
struct SearchWork {
    /// The number of bytes that are passed, or compared, in the time of a step.
    private static let bytesPerStep = 4
    /// The length of an item, in bytes, that passes characters in twice the time: a class with many ranges.
    private static let longItem = 32

    /// Negative: the search has exceeded its limit.
    private(set) var left: Int
    private let items: PatternItems
    /// Where the last step was, and the length of its item.
    private var (position, itemLength) = (0, 0)

    init(left: Int, items: PatternItems) {
        self.left = left
        self.items = items
    }

    /// - Returns: Whether the search may continue.
    fileprivate mutating func count(_ block: pcre2_callout_block_8) -> Bool {
        let passed = max(0, block.current_position - position) * (1 + itemLength / Self.longItem)
        let unseen = min(items.unseenLength(block), block.subject_length)
        left -= 1 + (passed + unseen) / Self.bytesPerStep
        (position, itemLength) = (block.current_position, block.next_item_length)
        return left >= 0
    }
}

/// A callout of pcre2callout(3): counts a step.
func countWork(_ block: UnsafeMutablePointer<pcre2_callout_block_8>?, _ data: UnsafeMutableRawPointer?) -> Int32 {
    guard let block, let work = data?.assumingMemoryBound(to: SearchWork.self) else { return 0 }
    return work.pointee.count(block.pointee) ? 0 : PCRE2_ERROR_CALLOUT
}

/// The items of a pattern that may look at many characters and then fail, so that no later step shows it: `\w{5000}`, a
/// back reference to a long text, a long lookbehind.
struct PatternItems: Sendable {
    private enum Unseen {
        case none
        /// As many characters.
        case atMost(Int)
        /// As many times what a group has captured.
        case captured(times: Int)
    }

    /// By the place of the item in the pattern.
    private var items: [Unseen]

    /// - Parameter pattern: In UTF-8.
    init(of code: OpaquePointer, _ pattern: [UInt8]) {
        items = Array(repeating: .none, count: pattern.count + 1)
        var lookbehind: UInt32 = 0
        _ = pcre2_pattern_info_8(code, UInt32(PCRE2_INFO_MAXLOOKBEHIND), &lookbehind)
        var places: [Range<Int>] = []
        _ = withUnsafeMutablePointer(to: &places) { places in
            pcre2_callout_enumerate_8(
                code,
                { block, places in
                    guard let block = block?.pointee else { return 0 }
                    let place = block.pattern_position..<block.pattern_position + block.next_item_length
                    places?.assumingMemoryBound(to: [Range<Int>].self).pointee.append(place)
                    return 0
                },
                places
            )
        }
        for place in places {
            items[place.lowerBound] = Self.unseen(by: pattern[place], lookbehind: Int(lookbehind))
        }
    }

    private static func unseen(by item: ArraySlice<UInt8>, lookbehind: Int) -> Unseen {
        let times = repetitions(of: item)
        if item.starts(with: "(?P=".utf8) { return .captured(times: max(1, times)) }
        if item.first == UInt8(ascii: "(") { return .atMost(lookbehind) }
        // \1, \g{1}, \k<name>.
        if item.first == UInt8(ascii: "\\"), let kind = item.dropFirst().first, "123456789gk".utf8.contains(kind) {
            return .captured(times: max(1, times))
        }
        return times == 0 ? .none : .atMost(times)
    }

    /// The minimum of the quantifier at the end of an item, `{n}` or `{n,m}`; 0: it has none.
    private static func repetitions(of item: ArraySlice<UInt8>) -> Int {
        var item = item
        // Possessive or lazy.
        if let last = item.last, "+?".utf8.contains(last) { item.removeLast() }
        guard item.last == UInt8(ascii: "}"), let open = item.lastIndex(of: UInt8(ascii: "{")) else { return 0 }
        // The code of a character.
        if ["\\x", "\\o"].contains(where: { item[..<open].elementsEqual($0.utf8) }) { return 0 }
        let digits = item[(open + 1)...].prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        return Int(String(decoding: digits, as: UTF8.self)) ?? 0
    }

    /// The number of bytes or characters that the next item may compare without a match.
    func unseenLength(_ block: pcre2_callout_block_8) -> Int {
        switch items[block.pattern_position] {
        case .none: 0
        case .atMost(let length): length
        case .captured(let times): times * Self.longestCapture(block)
        }
    }

    private static func longestCapture(_ block: pcre2_callout_block_8) -> Int {
        // Both offsets of a group without a capture are PCRE2_UNSET.
        (1..<max(1, Int(block.capture_top))).reduce(0) { longest, group in
            max(longest, block.offset_vector[2 * group + 1] - block.offset_vector[2 * group])
        }
    }
}
