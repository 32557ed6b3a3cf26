import VisibleText

/// The output of a parser so far. An opening delimiter is a separate piece, so that it can become text again.
struct TextPieces {
    private struct Piece {
        var text: [Unicode.Scalar]
        var style: RichText.Style
        var isOpener = false
        /// The number of emphases that begin with this piece, minus those that end before it.
        var bold = 0
        var italic = 0
    }

    private struct Opener {
        var marker: String
        var piece: Int
        /// The number of pieces before it that have text.
        var textsBefore: Int
    }

    private var pieces: [Piece] = []
    private var openers: [Opener] = []
    /// The number of pieces that have text.
    private var texts = 0
    /// The scalar that was appended last.
    private(set) var last: Unicode.Scalar?
    /// The number of examined delimiters.
    private(set) var work = 0

    /// The maximum number of open delimiters between the begin and the end of an emphasis or a link.
    private static let openDelimiters = 32

    mutating func append(_ scalar: Unicode.Scalar, _ style: RichText.Style) { append([scalar], style) }

    mutating func append(_ text: ArraySlice<Unicode.Scalar>, _ style: RichText.Style) {
        guard let last = text.last else { return }
        self.last = last
        let index = pieces.count - 1
        if index >= 0, !pieces[index].isOpener, pieces[index].style == style {
            if pieces[index].text.isEmpty { texts += 1 }
            pieces[index].text += text
        } else {
            pieces.append(Piece(text: Array(text), style: style))
            texts += 1
        }
    }

    /// Begins an emphasis or a link. Its marker is text unless ``close(_:_:)`` or ``closeLink()`` ends it.
    mutating func open(_ marker: String, _ style: RichText.Style) {
        openers.append(Opener(marker: marker, piece: pieces.count, textsBefore: texts))
        pieces.append(Piece(text: Array(marker.unicodeScalars), style: style, isOpener: true))
        texts += 1
        last = marker.unicodeScalars.last
    }

    /// Whether a link has begun.
    mutating func hasOpenLink() -> Bool { opener("[") != nil }

    /// Ends a link that has begun.
    mutating func closeLink() { if let index = opener("[") { remove(index) } }

    /// Ends the emphasis that began with the same marker. Returns false if there is none, or if it contains no text.
    ///
    /// - Parameter style: The style of the following text.
    mutating func close(_ marker: String, _ style: RichText.Style) -> Bool {
        guard let index = opener(marker), texts > openers[index].textsBefore + 1 else { return false }
        let start = openers[index].piece
        remove(index)
        var end = Piece(text: [], style: style)
        if marker == "**" || marker == "__" {
            pieces[start].bold += 1
            end.bold = -1
        } else if marker != "~~" {
            pieces[start].italic += 1
            end.italic = -1
        }
        pieces.append(end)
        return true
    }

    private mutating func opener(_ marker: String) -> Int? {
        for index in openers.indices.suffix(Self.openDelimiters).reversed() {
            work += 1
            if openers[index].marker == marker { return index }
        }
        return nil
    }

    private mutating func remove(_ index: Int) {
        pieces[openers[index].piece].text = []
        pieces[openers[index].piece].isOpener = false
        texts -= 1
        openers.remove(at: index)
        for later in index..<openers.count { openers[later].textsBefore -= 1 }
    }

    /// Joins runs of the same style, and removes trailing spaces and repeated blank lines.
    ///
    /// - Parameter isHTML: Spaces at the beginning of a line are ignored.
    func tidied(isHTML: Bool) -> RichText {
        var runs: [(text: [Unicode.Scalar], style: RichText.Style)] = []
        // The run in progress is apart from the others, so that nothing is copied when it grows.
        var text: [Unicode.Scalar] = []
        var textStyle: RichText.Style?
        func endRun() { if let textStyle, !text.isEmpty { runs.append((text, textStyle)) } }
        func add(_ scalar: Unicode.Scalar, _ style: RichText.Style) {
            if textStyle != style {
                endRun()
                (text, textStyle) = ([], style)
            }
            text.append(scalar)
        }
        var lineEnds = 2
        var spaces: [RichText.Style] = []
        var (bold, italic) = (0, 0)
        // Decoded entities were not filtered before.
        var filter = VisibleText.Filter()
        for piece in pieces {
            bold += piece.bold
            italic += piece.italic
            var style = piece.style
            if bold > 0 { style.insert(.bold) }
            if italic > 0 { style.insert(.italic) }
            for scalar in piece.text {
                switch scalar {
                case " ":
                    filter = VisibleText.Filter()
                    spaces.append(style)
                case "\n":
                    filter = VisibleText.Filter()
                    spaces.removeAll(keepingCapacity: true)
                    lineEnds += 1
                    if lineEnds <= 2 { add("\n", style) }
                default:
                    guard filter.shows(scalar) else { continue }
                    if lineEnds == 0 || !isHTML { for style in spaces { add(" ", style) } }
                    spaces.removeAll(keepingCapacity: true)
                    lineEnds = 0
                    add(scalar, style)
                }
            }
        }
        endRun()
        while runs.last?.text.last == "\n" {
            runs[runs.count - 1].text.removeLast()
            if runs[runs.count - 1].text.isEmpty { runs.removeLast() }
        }
        return RichText(runs.map { RichText.Run(String(scalars: $0.text), $0.style) })
    }
}
