/// Which parts of a text are tags, and which are code, where nothing has a meaning.
///
/// A tag counts if its element ends: without its end tag, `<title>` is a word of a sentence. Where HTML permits to
/// leave the end tag out, the place of the tag decides.
struct TextStructure {
    /// A tag that counts, or a whole element that is not shown.
    struct Tag {
        var tag: HTMLTag
        var range: Range<Int>
    }

    /// A code span or a fenced code block of Markdown.
    struct Code {
        var range: Range<Int>
        /// Without the backticks, or the lines of the fences.
        var content: Range<Int>
        var isBlock: Bool
    }

    /// In their order.
    private var tags: [Tag] = []
    private var code: [Code] = []
    /// Whether tags determine the layout, so that line ends and asterisks have no meaning. Line breaks and styles also
    /// occur in Markdown.
    private(set) var isHTML = false

    /// - Parameter isCut: Whether the end of the text, and so end tags, may be missing.
    init(_ text: inout TextScanner, isCut: Bool) {
        find(&text, isCut, besidesCode: true)
        isHTML = tags.contains { tag in
            switch tag.tag.meaning {
            case .block, .listItem, .cell: true
            case .style, .lineBreak, .transparent, .image, .hidden: false
            }
        }
        guard isHTML, !code.isEmpty else { return }
        // HTML has an element for code.
        code = []
        find(&text, isCut, besidesCode: false)
    }

    private var nextTag = 0
    private var nextCode = 0

    /// The tag at a position. Must be called with increasing positions.
    mutating func tag(at position: Int) -> Tag? {
        while nextTag < tags.count, tags[nextTag].range.lowerBound < position { nextTag += 1 }
        return nextTag < tags.count && tags[nextTag].range.lowerBound == position ? tags[nextTag] : nil
    }

    /// The code at a position. Must be called with increasing positions.
    mutating func code(at position: Int) -> Code? {
        while nextCode < code.count, code[nextCode].range.lowerBound < position { nextCode += 1 }
        return nextCode < code.count && code[nextCode].range.lowerBound == position ? code[nextCode] : nil
    }

    // MARK: Finding

    private mutating func find(_ text: inout TextScanner, _ isCut: Bool, besidesCode: Bool) {
        var found: [Tag] = []
        var fences = CodeFences()
        var position = 0
        while position < text.count {
            if besidesCode, text.isAtLineStart(position), let block = fences.block(&text, at: position) {
                code.append(block)
                position = block.range.upperBound
                continue
            }
            position = text.end(from: position) { scalar in
                scalar != "<" && !(besidesCode && (scalar == "`" || scalar == "\\" || scalar == "\n"))
            }
            switch text.scalar(at: position) {
            case "<":
                let tag = HTMLTag.parse(&text, at: position)
                if let tag { found.append(Tag(tag: tag.tag, range: position..<tag.end)) }
                position = tag?.end ?? position + 1
            case "`":
                let start = text.end(from: position) { $0 == "`" }
                guard let end = text.backticks(start - position, from: start) else {
                    position = start
                    continue
                }
                let range = position..<(end + start - position)
                code.append(Code(range: range, content: start..<end, isBlock: false))
                position = range.upperBound
            case "\\": position += text.scalar(at: position + 1)?.isEscapable == true ? 2 : 1
            default: position += 1
            }
        }
        tags = Self.counting(found, in: &text, isCut: isCut)
    }

    /// The tags that count; of elements that are not shown, the whole element.
    private static func counting(_ found: [Tag], in text: inout TextScanner, isCut: Bool) -> [Tag] {
        var found = found
        var counts = [Bool](repeating: false, count: found.count)
        // By name: the open elements, and the end tags, the last one first.
        var open: [String: [Int]] = [:]
        var ends: [String: [Int]] = [:]
        for index in found.indices.reversed() where found[index].tag.isClosing {
            ends[found[index].tag.name, default: []].append(index)
        }
        var index = 0
        while index < found.count {
            let tag = found[index].tag
            defer { index += 1 }
            if tag.isClosing {
                if let start = open[tag.name]?.popLast() {
                    (counts[start], counts[index]) = (true, true)
                } else {
                    counts[index] = tag.name == "p" && text.isMarkup(found[index].range)
                }
            } else if tag.meaning == .hidden {
                while let end = ends[tag.name]?.last, end < index { ends[tag.name]?.removeLast() }
                guard let end = ends[tag.name]?.last ?? (isCut ? found.count : nil) else { continue }
                counts[index] = true
                let upperBound = end < found.count ? found[end].range.upperBound : text.count
                found[index].range = found[index].range.lowerBound..<upperBound
                index = end
            } else if tag.endTag == .none {
                counts[index] = tag.name != "hr" || text.isMarkup(found[index].range)
            } else {
                open[tag.name, default: []].append(index)
            }
        }
        let lists = found.indices.first { counts[$0] && ["ul", "ol"].contains(found[$0].tag.name) } ?? .max
        let tables = found.indices.first { counts[$0] && found[$0].tag.name == "table" } ?? .max
        for index in open.values.joined() {
            let tag = found[index].tag
            counts[index] =
                switch tag.name {
                case _ where isCut: true
                case _ where tag.endTag == .required: false
                case "p": text.isMarkup(found[index].range)
                case "li": lists < index
                default: tables < index
                }
        }
        return found.indices.filter { counts[$0] }.map { found[$0] }
    }
}

extension TextScanner {
    mutating func isAtLineStart(_ position: Int) -> Bool { position == 0 || scalar(at: position - 1) == "\n" }

    /// Whether a tag that needs no end tag is markup, by the scalars around it: it begins a line, follows another tag,
    /// or is where a word would not be.
    fileprivate mutating func isMarkup(_ tag: Range<Int>) -> Bool {
        guard let before = scalar(at: tag.lowerBound - 1), before != "\n", before != ">" else { return true }
        guard let after = scalar(at: tag.upperBound) else { return false }
        return after.isWordScalar || after == "<" || after.isSpace && !before.isSpace
    }
}

extension Unicode.Scalar {
    /// Whether a backslash before it takes its meaning (CommonMark, "Backslash escapes").
    var isEscapable: Bool { isASCII && value > 0x20 && value < 0x7F && !isWordScalar }
}
