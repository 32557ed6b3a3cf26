import Basics

/// A pattern for whole texts: `*` is any text, `?` one character, `\` takes the special meaning from the next
/// character, and everything else is itself; it is compared as ``Swift/String/folded``.
///
/// Matching takes at most as many steps as the product of the lengths of text and pattern.
struct Glob: Sendable {
    private enum Element: Equatable {
        case one(Unicode.Scalar)
        case anyOne, anyText
    }

    private var elements: [Element] = []

    init(_ scalars: [Unicode.Scalar]) throws(TextPattern.Mistake) {
        var isEscaped = false
        var literal: [Unicode.Scalar] = []
        func endLiteral() {
            elements += String(scalars: literal).folded.unicodeScalars.map(Element.one)
            literal = []
        }
        for scalar in scalars {
            switch scalar {
            case "\\" where !isEscaped:
                isEscaped = true
                continue
            case "*" where !isEscaped, "?" where !isEscaped:
                endLiteral()
                elements.append(scalar == "*" ? .anyText : .anyOne)
            default: literal.append(scalar)
            }
            isEscaped = false
        }
        endLiteral()
        if isEscaped { throw TextPattern.Mistake("It ends with \\, which needs a character after it.") }
    }

    /// - Parameters:
    ///   - text: Folded (``Swift/String/folded``).
    ///   - limit: The maximum number of steps.
    /// - Returns: nil: it would take more steps.
    func matches(_ text: [Unicode.Scalar], within limit: inout Int) -> Bool? {
        var (index, position) = (0, 0)
        // The element after the last `*`, and where the text begins that is tried for it. An earlier `*` never has to
        // take more: the last one can take it instead.
        var retry: (index: Int, position: Int)?
        while position < text.count {
            limit -= 1
            if limit < 0 { return nil }
            switch index < elements.count ? elements[index] : nil {
            case .anyText:
                index += 1
                retry = (index, position)
                continue
            case .anyOne:
                (index, position) = (index + 1, position + 1)
                continue
            case .one(text[position]):
                (index, position) = (index + 1, position + 1)
                continue
            case .one, nil: break
            }
            guard let last = retry else { return false }
            (index, position) = (last.index, last.position + 1)
            retry = (index, position)
        }
        return elements[index...].allSatisfy { $0 == .anyText }
    }
}
