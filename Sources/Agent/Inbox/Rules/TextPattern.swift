import Basics

/// A rule's condition for a text: a glob for the whole text, or a regular expression for a part of it, written
/// `/…/`, or `/…/i` to ignore the case. See ``Glob`` and ``RegularExpression``.
package struct TextPattern: Hashable, Sendable {
    /// Why a pattern is invalid, in a sentence.
    package struct Mistake: Error, Equatable, Sendable {
        package let sentence: String
        init(_ sentence: String) { self.sentence = sentence }
    }

    package enum SearchResult: Sendable {
        case match, noMatch
        /// The search exceeded its limit or the budget, so it is unknown whether there is a match. It counts as none.
        case limitExceeded
    }

    private enum Matcher: Sendable {
        case glob(Glob)
        case expression(RegularExpression)
    }

    /// The maximum number of characters of a regular expression.
    private static let expressionLimit = 256
    /// The maximum number of characters of a glob: a category or a topic of 256 with a \\ before each fits.
    private static let globLimit = 1_024
    /// The number of steps of a glob that take as long as one of the budget.
    private static let globSteps = 16
    /// The number of steps that a glob may always take: rules for names work when other rules have used up the budget.
    private static let freeGlobSteps = 4_096

    /// The pattern as the user wrote it.
    package let source: String
    private let matcher: Matcher

    package init(_ source: String) throws(Mistake) {
        let scalars = Array(source.unicodeScalars)
        guard !scalars.isEmpty else { throw Mistake("It is empty.") }
        let limit = scalars[0] == "/" ? Self.expressionLimit : Self.globLimit
        guard scalars.count <= limit else { throw Mistake("It has more than \(limit) characters.") }
        self.source = source
        guard scalars[0] == "/" else {
            matcher = .glob(try Glob(scalars))
            return
        }
        let ignoresCase = scalars.count > 2 && scalars.suffix(2) == ["/", "i"]
        let body = scalars.dropFirst().dropLast(ignoresCase ? 2 : 1)
        guard scalars.count > 1, ignoresCase || scalars.last == "/" else {
            throw Mistake("A regular expression ends with / or /i. A glob that begins with / is written \\/.")
        }
        guard !body.isEmpty else { throw Mistake("The regular expression is empty.") }
        matcher = .expression(try RegularExpression(String(scalars: body).composed, ignoresCase: ignoresCase))
    }

    package static func == (left: TextPattern, right: TextPattern) -> Bool { left.source == right.source }
    package func hash(into hasher: inout Hasher) { hasher.combine(source) }

    package func matches(_ text: PatternText) -> Bool { search(text) == .match }

    /// A search with a budget of its own.
    package func search(_ text: PatternText) -> SearchResult {
        var budget = PatternBudget.notification
        return search(text, within: &budget)
    }

    package func search(_ text: PatternText, within budget: inout PatternBudget) -> SearchResult {
        switch matcher {
        case .glob(let glob):
            let limit = max(budget.steps * Self.globSteps, Self.freeGlobSteps)
            var left = limit
            let matches = glob.matches(text.folded, within: &left)
            budget.spend(1 + (limit - left) / Self.globSteps)
            return matches.map { $0 ? .match : .noMatch } ?? .limitExceeded
        case .expression(let expression): return expression.search(text.composed, within: &budget)
        }
    }
}

/// A text that patterns are compared with, prepared once for all of them.
package struct PatternText: Equatable, Sendable {
    package let text: String
    /// As globs are compared (``Swift/String/folded``).
    let folded: [Unicode.Scalar]
    /// As regular expressions see it.
    let composed: String

    package init(_ text: String) {
        self.text = text
        folded = Array(text.folded.unicodeScalars)
        composed = text.composed
    }
}
