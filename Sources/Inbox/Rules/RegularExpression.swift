/// Reads a regular expression: `.` (any character), `[a-z]`, `[^a-z]`, `\d`, `\w`, `\s` and their opposites `\D`, `\W`,
/// `\S`, `\n`, `\t`, `^`, `$` (begin and end of the text), `(…)`, `(?:…)`, `|`, `*`, `+`, `?` and `{n}`, `{n,}`,
/// `{n,m}`. What needs backtracking, such as `\1` and `(?=…)`, is a mistake.
struct RegularExpression {
    private typealias Mistake = TextPattern.Mistake

    /// The maximum depth of nested groups.
    private static let depthLimit = 32
    /// The maximum number in braces.
    private static let repetitionLimit = 100

    private var rest: ArraySlice<Unicode.Scalar>
    private var depth = 0

    static func parse(_ scalars: ArraySlice<Unicode.Scalar>) throws(TextPattern.Mistake) -> PatternNode {
        var expression = RegularExpression(rest: scalars)
        let node = try expression.alternatives()
        guard expression.rest.isEmpty else { throw Mistake("It has a ) without a (.") }
        return node
    }

    private init(rest: ArraySlice<Unicode.Scalar>) { self.rest = rest }

    /// Removes the next scalar if it is this one.
    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard rest.first == scalar else { return false }
        rest.removeFirst()
        return true
    }

    private mutating func alternatives() throws(TextPattern.Mistake) -> PatternNode {
        var nodes = [try sequence()]
        while take("|") { nodes.append(try sequence()) }
        return nodes.count == 1 ? nodes[0] : .alternatives(nodes)
    }

    private mutating func sequence() throws(TextPattern.Mistake) -> PatternNode {
        var nodes: [PatternNode] = []
        while let next = rest.first, next != "|", next != ")" {
            let node = try atom()
            nodes.append(try repetition(of: node))
        }
        return .sequence(nodes)
    }

    private mutating func atom() throws(TextPattern.Mistake) -> PatternNode {
        let scalar = rest.removeFirst()
        switch scalar {
        case "(": return try group()
        case "[": return .one(try set())
        case ".": return .one(.any)
        case "^": return .start
        case "$": return .end
        case "\\": return .one(try escaped())
        case "*", "+", "?", "{":
            throw Mistake("A \(scalar) in it has nothing to repeat. Write \\\(scalar) for the character.")
        default: return .one(ScalarSet(scalar))
        }
    }

    private mutating func group() throws(TextPattern.Mistake) -> PatternNode {
        if take("?"), !take(":") { throw Mistake("Of the groups that begin with (? it can have (?:…) only.") }
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.depthLimit else {
            throw Mistake("Its groups are nested more than \(Self.depthLimit) deep.")
        }
        let node = try alternatives()
        guard take(")") else { throw Mistake("It has a ( without a ).") }
        return node
    }

    private mutating func repetition(of node: PatternNode) throws(TextPattern.Mistake) -> PatternNode {
        var repeated = node
        switch rest.first {
        case "*": repeated = .repeated(node, atLeast: 0, atMost: nil)
        case "+": repeated = .repeated(node, atLeast: 1, atMost: nil)
        case "?": repeated = .repeated(node, atLeast: 0, atMost: 1)
        case "{":
            rest.removeFirst()
            let (least, most) = try bounds()
            repeated = .repeated(node, atLeast: least, atMost: most)
        default: return node
        }
        rest.removeFirst()
        // Whether as much or as little as possible is repeated makes no difference to whether it matches.
        _ = take("?")
        if let next = rest.first, "*+?{".unicodeScalars.contains(next) {
            throw Mistake("A \(next) in it follows another repetition. Put the first one in parentheses.")
        }
        return repeated
    }

    /// The numbers between braces; the closing one remains.
    private mutating func bounds() throws(TextPattern.Mistake) -> (Int, Int?) {
        let least = number()
        var most = least
        if take(",") { most = rest.first == "}" ? nil : number() ?? -1 }
        guard rest.first == "}", let least, most.map({ $0 >= least }) ?? true,
            max(least, most ?? 0) <= Self.repetitionLimit
        else {
            throw Mistake(
                "Braces in it are {n}, {n,} or {n,m}, at most \(Self.repetitionLimit). Write \\{ for the character."
            )
        }
        return (least, most)
    }

    private mutating func number() -> Int? {
        let digits = rest.prefix { ScalarSet.Kind.digit.contains($0) }.prefix(6)
        rest = rest.dropFirst(digits.count)
        return Int(String(scalars: digits))
    }

    private static let classes: [Unicode.Scalar: ScalarSet.Kind] = [
        "d": .digit, "D": .notDigit, "w": .word, "W": .notWord, "s": .space, "S": .notSpace,
    ]

    /// What follows a `\`.
    private mutating func escaped() throws(TextPattern.Mistake) -> ScalarSet {
        guard let scalar = rest.popFirst() else { throw Mistake("It ends with \\, which needs a character after it.") }
        if let kind = Self.classes[scalar] { return ScalarSet(kinds: [kind]) }
        switch scalar {
        case "n": return ScalarSet("\n")
        case "t": return ScalarSet("\t")
        default: break
        }
        guard !scalar.isWordScalar else {
            throw Mistake("\\\(scalar) in it is unknown. There are \\d, \\w, \\s, \\D, \\W, \\S, \\n and \\t.")
        }
        return ScalarSet(scalar)
    }

    /// What follows a `[`.
    private mutating func set() throws(TextPattern.Mistake) -> ScalarSet {
        var set = ScalarSet(isNegated: take("^"))
        var isFirst = true
        while let next = rest.popFirst() {
            if next == "]", !isFirst { return set }
            isFirst = false
            let low = next == "\\" ? try escaped() : ScalarSet(next)
            guard rest.first == "-", let after = rest.dropFirst().first, after != "]", let first = low.ranges.first
            else {
                set.ranges += low.ranges
                set.kinds += low.kinds
                continue
            }
            rest.removeFirst(2)
            let high = after == "\\" ? try escaped() : ScalarSet(after)
            guard let last = high.ranges.first, first.lowerBound <= last.upperBound else {
                throw Mistake("A range in its brackets ends before it begins.")
            }
            set.ranges.append(first.lowerBound...last.upperBound)
        }
        throw Mistake("It has a [ without a ].")
    }
}
