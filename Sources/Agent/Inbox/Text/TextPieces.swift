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
        /// The link that begins with this piece.
        var link: Int?
        /// Whether a link ends before this piece.
        var endsLink = false
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
    /// The addresses of the links.
    private(set) var links: [String] = []
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

    /// Begins an emphasis or a link. Its marker is text unless ``close(_:_:)`` or ``closeLink(_:_:)`` ends it.
    mutating func open(_ marker: String, _ style: RichText.Style) {
        openers.append(Opener(marker: marker, piece: pieces.count, textsBefore: texts))
        pieces.append(Piece(text: Array(marker.unicodeScalars), style: style, isOpener: true))
        texts += 1
        last = marker.unicodeScalars.last
    }

    /// Whether a link or an image has begun, and which.
    mutating func openLinkMarker() -> String? { linkOpener().map { openers[$0].marker } }

    /// Ends the link or the image that has begun.
    ///
    /// - Parameters:
    ///   - address: Of a link; nil: there is nothing to open.
    ///   - style: The style of the following text.
    mutating func closeLink(_ address: String?, _ style: RichText.Style) {
        guard let index = linkOpener() else { return }
        let start = openers[index].piece
        remove(index)
        guard let address else { return }
        links.append(address)
        pieces[start].link = links.count - 1
        endLink(style)
    }

    /// Begins a link, up to ``endLink(_:)``.
    mutating func beginLink(_ address: String, _ style: RichText.Style) {
        links.append(address)
        pieces.append(Piece(text: [], style: style, link: links.count - 1))
    }

    mutating func endLink(_ style: RichText.Style) { pieces.append(Piece(text: [], style: style, endsLink: true)) }

    /// Ends the emphasis that began with the same marker. Returns false if there is none, or if it contains no text.
    ///
    /// - Parameter style: The style of the following text.
    mutating func close(_ marker: String, _ style: RichText.Style) -> Bool {
        guard let index = opener({ $0 == marker }), texts > openers[index].textsBefore + 1 else { return false }
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

    private mutating func linkOpener() -> Int? { opener { $0 == "[" || $0 == "![" } }

    private mutating func opener(_ isWanted: (_ marker: String) -> Bool) -> Int? {
        for index in openers.indices.suffix(Self.openDelimiters).reversed() {
            work += 1
            if isWanted(openers[index].marker) { return index }
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

    private struct Format: Equatable {
        var style: RichText.Style
        /// The index of the link.
        var link: Int?
    }

    /// Joins runs of the same style and link, and removes trailing spaces and repeated blank lines.
    ///
    /// - Parameter isHTML: Spaces at the beginning of a line are ignored.
    func tidied(isHTML: Bool) -> RichText {
        var runs: [(text: [Unicode.Scalar], format: Format)] = []
        // The run in progress is apart from the others, so that nothing is copied when it grows.
        var text: [Unicode.Scalar] = []
        var textFormat: Format?
        func endRun() { if let textFormat, !text.isEmpty { runs.append((text, textFormat)) } }
        func add(_ scalar: Unicode.Scalar, _ format: Format) {
            if textFormat != format {
                endRun()
                (text, textFormat) = ([], format)
            }
            text.append(scalar)
        }
        var lineEnds = 2
        var spaces: [Format] = []
        var (bold, italic) = (0, 0)
        // The last one applies: links contain no links (CommonMark, "Links").
        var openLinks: [Int] = []
        // Decoded entities were not filtered before.
        var filter = VisibleText.Filter()
        for piece in pieces {
            bold += piece.bold
            italic += piece.italic
            if piece.endsLink { _ = openLinks.popLast() }
            if let link = piece.link { openLinks.append(link) }
            var format = Format(style: piece.style, link: openLinks.last)
            if bold > 0 { format.style.insert(.bold) }
            if italic > 0 { format.style.insert(.italic) }
            for scalar in piece.text {
                switch scalar {
                case " ":
                    filter = VisibleText.Filter()
                    spaces.append(format)
                case "\n":
                    filter = VisibleText.Filter()
                    spaces.removeAll(keepingCapacity: true)
                    lineEnds += 1
                    if lineEnds <= 2 { add("\n", format) }
                default:
                    guard filter.shows(scalar) else { continue }
                    if lineEnds == 0 || !isHTML { for format in spaces { add(" ", format) } }
                    spaces.removeAll(keepingCapacity: true)
                    lineEnds = 0
                    add(scalar, format)
                }
            }
        }
        endRun()
        while runs.last?.text.last == "\n" {
            runs[runs.count - 1].text.removeLast()
            if runs[runs.count - 1].text.isEmpty { runs.removeLast() }
        }
        return RichText(
            runs.map { RichText.Run(String(scalars: $0.text), $0.format.style, link: $0.format.link.map { links[$0] }) }
        )
    }
}
