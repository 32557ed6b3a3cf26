/// Access to a text for a parser. Every access to a scalar is counted. A search that may go far (the end of a comment,
/// of a code span or of a link's URL) is done once for the whole text, so that all searches together are linear in its
/// length.
struct TextScanner {
    private let scalars: [Unicode.Scalar]
    /// The number of accessed scalars.
    private(set) var work = 0

    /// The end of the next comment, valid for positions after `from`.
    private var commentEnd: (from: Int, end: Int?)?
    /// The closing parenthesis of every opening one, on the same line; computed at the first use.
    private var parentheses: [Int: Int]?
    /// The positions of the runs of backticks by their lengths, the last first; computed at the first use.
    private var backticks: [Int: [Int]]?

    init(_ scalars: [Unicode.Scalar]) { self.scalars = scalars }

    var count: Int { scalars.count }

    /// The scalar at a position; nil beyond the ends.
    mutating func scalar(at position: Int) -> Unicode.Scalar? {
        work += 1
        return scalars.indices.contains(position) ? scalars[position] : nil
    }

    /// The first position from `start` to `limit` whose scalar does not match; `limit` or the text's end if all match.
    mutating func end(
        from start: Int,
        before limit: Int = .max,
        while matches: (Unicode.Scalar) -> Bool
    ) -> Int {
        let limit = min(limit, count)
        var position = start
        while position < limit {
            work += 1
            guard matches(scalars[position]) else { break }
            position += 1
        }
        return max(position, start)
    }

    /// Whether the text has these scalars at a position.
    mutating func has(_ text: String, at start: Int) -> Bool {
        var position = start
        for expected in text.unicodeScalars {
            guard scalar(at: position) == expected else { return false }
            position += 1
        }
        return true
    }

    /// The scalars of a range.
    mutating func slice(_ range: Range<Int>) -> ArraySlice<Unicode.Scalar> {
        work += range.count
        return scalars[range]
    }

    /// The position after the first `-->` from `start`.
    mutating func endOfComment(from start: Int) -> Int? {
        if let known = commentEnd, known.from <= start, start <= known.end.map({ $0 - 3 }) ?? .max { return known.end }
        var position = start
        while position + 2 < count {
            work += 1
            if scalars[position] == "-", scalars[position + 1] == "-", scalars[position + 2] == ">" {
                commentEnd = (start, position + 3)
                return position + 3
            }
            position += 1
        }
        commentEnd = (start, nil)
        return nil
    }

    /// The closing parenthesis of the opening one at `start`, if it is on the same line.
    mutating func closingParenthesis(of start: Int) -> Int? {
        if let parentheses { return parentheses[start] }
        var found: [Int: Int] = [:]
        var open: [Int] = []
        for (position, scalar) in scalars.enumerated() {
            switch scalar {
            case "(": open.append(position)
            case ")": if let start = open.popLast() { found[start] = position }
            case "\n": open = []
            default: break
            }
        }
        work += count
        parentheses = found
        return found[start]
    }

    /// The first run of exactly `length` backticks from `start`. Must be called with increasing positions.
    mutating func backticks(_ length: Int, from start: Int) -> Int? {
        if backticks == nil { backticks = allBackticks() }
        while let first = backticks?[length]?.last, first < start {
            work += 1
            backticks?[length]?.removeLast()
        }
        return backticks?[length]?.last
    }

    private mutating func allBackticks() -> [Int: [Int]] {
        var runs: [Int: [Int]] = [:]
        var position = count - 1
        while position >= 0 {
            let end = position
            while position >= 0, scalars[position] == "`" { position -= 1 }
            if position < end { runs[end - position, default: []].append(position + 1) }
            position -= 1
        }
        work += count
        return runs
    }
}
