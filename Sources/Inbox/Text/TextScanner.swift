/// A text and what is known of it, for a parser. Every look at a scalar goes through it and is counted; a question whose answer may
/// be far away (where a comment, a code span or a link's address ends) is answered for the whole text at once, so that all
/// of them together cost no more than the text is long.
struct TextScanner {
    private let scalars: [Unicode.Scalar]
    /// How many scalars were looked at.
    private(set) var work = 0

    /// Where the next comment ends, and from where that is true.
    private var commentEnd: (from: Int, end: Int?)?
    /// The closing parenthesis of every opening one, on the same line; found with the first question.
    private var parentheses: [Int: Int]?
    /// The positions of the runs of backticks by their lengths, the last first; found with the first question.
    private var backticks: [Int: [Int]]?

    init(_ scalars: [Unicode.Scalar]) { self.scalars = scalars }

    var count: Int { scalars.count }

    /// The scalar at a position; nil beyond the ends.
    mutating func scalar(at position: Int) -> Unicode.Scalar? {
        work += 1
        return scalars.indices.contains(position) ? scalars[position] : nil
    }

    /// The first position from `start` on, before `limit`, whose scalar is none of these; `limit` or the text's end if all are.
    mutating func end(
        from start: Int,
        before limit: Int = .max,
        while isMeant: (Unicode.Scalar) -> Bool
    ) -> Int {
        let limit = min(limit, count)
        var position = start
        while position < limit {
            work += 1
            guard isMeant(scalars[position]) else { break }
            position += 1
        }
        return max(position, start)
    }

    /// Whether these scalars stand at a position.
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

    /// The position behind the first `-->` from `start` on.
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

    /// The first run of exactly this many backticks from `start` on. Questions come in the order of their positions.
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
