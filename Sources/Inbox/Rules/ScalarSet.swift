/// The scalars that a place of a pattern accepts.
struct ScalarSet: Hashable, Sendable {
    /// `\d`, `\w`, `\s`, and with a capital their opposite.
    enum Kind: Hashable, Sendable {
        case digit, word, space
        case notDigit, notWord, notSpace

        func contains(_ scalar: Unicode.Scalar) -> Bool {
            switch self {
            case .digit: (0x30...0x39).contains(scalar.value)
            case .word: scalar.isWordScalar || scalar == "_"
            case .space: scalar.isSpace
            case .notDigit: !Kind.digit.contains(scalar)
            case .notWord: !Kind.word.contains(scalar)
            case .notSpace: !Kind.space.contains(scalar)
            }
        }
    }

    static let any = ScalarSet(isNegated: true)

    var ranges: [ClosedRange<UInt32>] = []
    var kinds: [Kind] = []
    /// Whether it is all scalars but these.
    var isNegated = false
    /// Whether the scalars that are compared are folded (``Unicode/Scalar/folded``).
    var isFolded = false

    init(ranges: [ClosedRange<UInt32>] = [], kinds: [Kind] = [], isNegated: Bool = false) {
        self.ranges = ranges
        self.kinds = kinds
        self.isNegated = isNegated
    }

    init(_ scalar: Unicode.Scalar) { self.init(ranges: [scalar.value...scalar.value]) }

    func contains(_ scalar: Unicode.Scalar) -> Bool {
        if ranges.isEmpty, kinds.isEmpty { return isNegated }
        return (lists(scalar) || isFolded && lists(scalar.capital)) != isNegated
    }

    private func lists(_ scalar: Unicode.Scalar) -> Bool {
        ranges.contains { $0.contains(scalar.value) } || kinds.contains { $0.contains(scalar) }
    }

    /// The set for texts whose scalars are folded.
    var folded: ScalarSet {
        var set = self
        if let range = ranges.first, ranges.count == 1, range.count == 1, kinds.isEmpty,
            let scalar = Unicode.Scalar(range.lowerBound)
        {
            set.ranges = [scalar.folded.value...scalar.folded.value]
        } else {
            set.isFolded = true
        }
        return set
    }
}
