/// What a rule compares a text with: a glob, or a regular expression between slashes.
///
/// In a glob, `*` is any text, `?` one character, `\` takes the special meaning from the next character, and everything
/// else is itself; upper and lower case are the same. A glob has to match the whole text. A regular expression,
/// `/…/` or `/…/i` to ignore the case, has to match a part of it; see ``RegularExpression``. Characters are Unicode
/// scalars.
///
/// Matching takes a time that is proportional to the length of the text, whatever the pattern is.
package struct TextPattern: Hashable, Sendable {
    /// Why a pattern is invalid, in a sentence.
    package struct Mistake: Error, Equatable, Sendable {
        package let sentence: String
        init(_ sentence: String) { self.sentence = sentence }
    }

    /// The maximum number of characters of a pattern.
    package static let lengthLimit = 256

    /// The pattern as the user wrote it.
    package let source: String
    private let program: PatternProgram
    private let ignoresCase: Bool

    package init(_ source: String) throws(Mistake) {
        let scalars = Array(source.unicodeScalars)
        guard !scalars.isEmpty else { throw Mistake("It is empty.") }
        guard scalars.count <= Self.lengthLimit else {
            throw Mistake("It has more than \(Self.lengthLimit) characters.")
        }
        self.source = source
        guard scalars[0] == "/" else {
            ignoresCase = true
            program = PatternProgram(try Self.glob(scalars), isWhole: true, ignoresCase: true)
            return
        }
        ignoresCase = scalars.count > 2 && scalars.suffix(2) == ["/", "i"]
        let body = scalars.dropFirst().dropLast(ignoresCase ? 2 : 1)
        guard scalars.count > 1, ignoresCase || scalars.last == "/" else {
            throw Mistake("A regular expression ends with / or /i. A glob that begins with / is written \\/.")
        }
        guard !body.isEmpty else { throw Mistake("The regular expression is empty.") }
        program = PatternProgram(try RegularExpression.parse(body), isWhole: false, ignoresCase: ignoresCase)
        guard program.size <= PatternProgram.sizeLimit else {
            throw Mistake("Its repetitions are too many. Use smaller numbers.")
        }
    }

    package func matches(_ text: PatternText) -> Bool { search(text).isMatch }

    /// Whether it matches, and the number of steps that this took: at most ``PatternProgram/sizeLimit`` for each
    /// character.
    package func search(_ text: PatternText) -> (isMatch: Bool, steps: Int) {
        program.run(ignoresCase ? text.folded : text.scalars)
    }

    private static func glob(_ scalars: [Unicode.Scalar]) throws(Mistake) -> PatternNode {
        var nodes: [PatternNode] = []
        var isEscaped = false
        for scalar in scalars {
            switch scalar {
            case _ where isEscaped:
                nodes.append(.one(ScalarSet(scalar)))
                isEscaped = false
            case "\\": isEscaped = true
            case "*": nodes.append(.repeated(.one(.any), atLeast: 0, atMost: nil))
            case "?": nodes.append(.one(.any))
            default: nodes.append(.one(ScalarSet(scalar)))
            }
        }
        if isEscaped { throw Mistake("It ends with \\, which needs a character after it.") }
        return .sequence(nodes)
    }
}

/// A text that patterns are compared with, prepared once for all of them.
package struct PatternText: Equatable, Sendable {
    package let text: String
    let scalars: [Unicode.Scalar]
    /// Without the difference of upper and lower case.
    let folded: [Unicode.Scalar]

    package init(_ text: String) {
        self.text = text
        scalars = Array(text.unicodeScalars)
        folded = scalars.map(\.folded)
    }
}

extension Unicode.Scalar {
    /// The same for a capital and its small letter, if each is one scalar.
    var folded: Unicode.Scalar {
        if isASCII { return (0x41...0x5A).contains(value) ? Unicode.Scalar(UInt8(value | 0x20)) : self }
        let mapped = properties.lowercaseMapping.unicodeScalars
        return mapped.count == 1 ? mapped.first ?? self : self
    }

    /// The capital of a small letter, if each is one scalar.
    var capital: Unicode.Scalar {
        let mapped = properties.uppercaseMapping.unicodeScalars
        return mapped.count == 1 ? mapped.first ?? self : self
    }
}
