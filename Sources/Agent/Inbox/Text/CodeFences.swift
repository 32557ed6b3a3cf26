/// Finds the fenced code blocks of a text (CommonMark, "Fenced code blocks"). A fence that nothing ends is no block.
///
/// Linear for all blocks of a text together: the lines that can end a block are found once, and a search that failed is
/// not repeated.
struct CodeFences {
    private struct Line {
        var mark: Unicode.Scalar
        var length: Int
        var range: Range<Int>
    }

    /// The lines that can end a block; nil: not known yet.
    private var ends: [Line]?
    /// The index of the first of them that may still be needed.
    private var next = 0
    /// The shortest fence, by mark, that nothing ends.
    private var endless: [Unicode.Scalar: Int] = [:]

    /// The block that begins with the line at `start`.
    mutating func block(_ text: inout TextScanner, at start: Int) -> TextStructure.Code? {
        guard let (first, rest) = Self.opening(&text, at: start), first.length < endless[first.mark, default: .max]
        else { return nil }
        let ends = allEnds(&text)
        while next < ends.count, ends[next].range.lowerBound <= rest { next += 1 }
        let end = ends[next...].first { $0.mark == first.mark && $0.length >= first.length }
        guard let end else {
            endless[first.mark] = first.length
            return nil
        }
        return TextStructure.Code(
            range: start..<min(text.count, end.range.upperBound + 1),
            content: (rest + 1)..<end.range.lowerBound,
            isBlock: true
        )
    }

    /// Whether the line at `start` is a fence.
    static func isFence(_ text: inout TextScanner, at start: Int) -> Bool { opening(&text, at: start) != nil }

    /// The fence that begins a block, and the end of its line.
    private static func opening(_ text: inout TextScanner, at start: Int) -> (Line, endOfLine: Int)? {
        guard let first = fence(&text, at: start) else { return nil }
        // A code span has backticks in its line.
        let end = text.end(from: first.range.upperBound) { $0 != "\n" && !($0 == "`" && first.mark == "`") }
        return end == text.count || text.scalar(at: end) == "\n" ? (first, end) : nil
    }

    private mutating func allEnds(_ text: inout TextScanner) -> [Line] {
        if let ends { return ends }
        var found: [Line] = []
        var position = 0
        while position < text.count {
            let endOfLine = text.end(from: position) { $0 != "\n" }
            if let fence = Self.fence(&text, at: position),
                text.end(from: fence.range.upperBound, before: endOfLine, while: { $0 == " " }) == endOfLine
            {
                found.append(Line(mark: fence.mark, length: fence.length, range: position..<endOfLine))
            }
            position = endOfLine + 1
        }
        ends = found
        return found
    }

    /// The fence at the begin of a line, and its place.
    private static func fence(_ text: inout TextScanner, at start: Int) -> Line? {
        let indent = text.end(from: start) { $0 == " " }
        guard let mark = text.scalar(at: indent), mark == "`" || mark == "~" else { return nil }
        let end = text.end(from: indent) { $0 == mark }
        return end - indent < 3 ? nil : Line(mark: mark, length: end - indent, range: start..<end)
    }
}
