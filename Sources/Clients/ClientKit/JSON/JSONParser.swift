import Basics

/// A JSON syntax error and its position.
package struct JSONError: Error, Sendable, Hashable {
    /// The problem as a phrase; never quotes the text.
    package var problem: String
    /// The position in UTF-8 bytes from the start.
    package var offset: Int

    package init(problem: String, offset: Int) {
        self.problem = problem
        self.offset = offset
    }
}

extension JSONValue {
    /// The maximum nesting of arrays and objects. Deeper text is rejected, so that untrusted text cannot exhaust the
    /// stack.
    package static let maximumDepth = 64

    /// Parses exactly one JSON document (RFC 8259), with optional white space around it.
    ///
    /// An unpaired surrogate becomes U+FFFD; a number out of the range of Double is an error.
    package init(parsing text: String) throws(JSONError) {
        try self.init(parsing: Array(text.utf8))
    }

    /// Parses exactly one JSON document in UTF-8. Invalid UTF-8 becomes U+FFFD inside strings and is rejected
    /// elsewhere.
    ///
    /// - Parameter isTolerant: Accepts what a service passes on from others: a number out of range becomes null, and
    ///   the nesting may be 512 deep. So one field does not make a whole page unreadable.
    package init(parsing bytes: [UInt8], isTolerant: Bool = false) throws(JSONError) {
        var parser = JSONParser(bytes: bytes, isTolerant: isTolerant)
        self = try parser.document()
    }
}

/// A recursive descent parser over bytes.
///
/// This parser exists because `JSONDecoder` reads a ``JSONValue`` otherwise than JavaScript: of two equal keys it uses
/// the first, it reads 1.0 as an integer, it rejects a whole document because of an unpaired surrogate or a byte that
/// is not UTF-8, and it accepts a trailing comma. It also allows a depth of 512, which is not configurable, its errors
/// have no position, and it is twenty times slower: 2.0 ms for a page of twenty rows (21 kB), here 0.09 ms, both
/// optimized.
private struct JSONParser {
    let bytes: [UInt8]
    let isTolerant: Bool
    var index = 0

    init(bytes: [UInt8], isTolerant: Bool) {
        self.bytes = bytes
        self.isTolerant = isTolerant
    }

    private var maximumDepth: Int { isTolerant ? 512 : JSONValue.maximumDepth }

    mutating func document() throws(JSONError) -> JSONValue {
        let value = try value(depth: 0)
        skipSpace()
        guard index == bytes.count else { throw error("text after the end") }
        return value
    }

    private mutating func value(depth: Int) throws(JSONError) -> JSONValue {
        skipSpace()
        switch peek {
        case UInt8(ascii: "{"): return try object(depth: depth + 1)
        case UInt8(ascii: "["): return try array(depth: depth + 1)
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        default: return try number()
        }
    }

    private mutating func object(depth: Int) throws(JSONError) -> JSONValue {
        guard depth <= maximumDepth else { throw error("nested too deeply") }
        index += 1
        var members: [(String, JSONValue)] = []
        skipSpace()
        if take("}") { return .object([:]) }
        members.reserveCapacity(8)
        repeat {
            skipSpace()
            guard peek == UInt8(ascii: "\"") else { throw error("a key was expected") }
            let key = try string()
            skipSpace()
            guard take(":") else { throw error("a colon was expected") }
            members.append((key, try value(depth: depth)))
            skipSpace()
        } while take(",")
        guard take("}") else { throw error("the object does not end") }
        // A dictionary that grew with each member would be copied and hashed again several times.
        return .object(Dictionary(members) { _, last in last })
    }

    private mutating func array(depth: Int) throws(JSONError) -> JSONValue {
        guard depth <= maximumDepth else { throw error("nested too deeply") }
        index += 1
        var elements: [JSONValue] = []
        skipSpace()
        if take("]") { return .array(elements) }
        repeat {
            elements.append(try value(depth: depth))
            skipSpace()
        } while take(",")
        guard take("]") else { throw error("the array does not end") }
        return .array(elements)
    }

    private mutating func word(_ word: StaticString, _ value: JSONValue) throws(JSONError) -> JSONValue {
        let end = index + word.utf8CodeUnitCount
        let matches = end <= bytes.count && word.withUTF8Buffer { $0.elementsEqual(bytes[index..<end]) }
        guard matches else { throw error("an unknown word") }
        index = end
        return value
    }

    // MARK: Numbers

    private mutating func number() throws(JSONError) -> JSONValue {
        let start = index
        _ = take("-")
        if !take("0") {
            try digits()
        }
        var isInteger = true
        if take(".") {
            isInteger = false
            try digits()
        }
        if take("e") || take("E") {
            isInteger = false
            if !take("+") { _ = take("-") }
            try digits()
        }
        let text = String(decoding: bytes[start..<index], as: UTF8.self)
        if isInteger, let integer = Int64(text) { return .integer(integer) }
        guard let number = Double(text), number.isFinite else {
            if isTolerant { return .null }
            throw error("a number out of range")
        }
        return .number(number)
    }

    private mutating func digits() throws(JSONError) {
        let start = index
        while let byte = peek, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { index += 1 }
        guard index > start else { throw error("a value was expected") }
    }

    // MARK: Strings

    private mutating func string() throws(JSONError) -> String {
        index += 1
        var result = ""
        var start = index
        while let byte = peek {
            switch byte {
            case UInt8(ascii: "\""):
                let rest = String(decoding: bytes[start..<index], as: UTF8.self)
                index += 1
                return result.isEmpty ? rest : result + rest
            case UInt8(ascii: "\\"):
                result += String(decoding: bytes[start..<index], as: UTF8.self)
                index += 1
                result.unicodeScalars.append(try escaped())
                start = index
            case 0..<0x20:
                throw error("a control character inside a string")
            default:
                skipPlainText()
            }
        }
        throw error("the string does not end")
    }

    /// Skips what is neither the end of a string nor an escape nor a control character.
    private mutating func skipPlainText() {
        index = bytes.withUnsafeBufferPointer { bytes in
            var index = index
            while index < bytes.count, bytes[index] >= 0x20, bytes[index] != UInt8(ascii: "\""),
                bytes[index] != UInt8(ascii: "\\")
            {
                index += 1
            }
            return index
        }
    }

    private mutating func escaped() throws(JSONError) -> Unicode.Scalar {
        guard let byte = peek else { throw error("the string does not end") }
        index += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): return try utf16()
        default: throw error("an unknown escape")
        }
    }

    /// Reads after `\u`: one UTF-16 code unit, or a surrogate pair.
    private mutating func utf16() throws(JSONError) -> Unicode.Scalar {
        let first = try hexadecimal()
        if let scalar = Unicode.Scalar(first) { return scalar }
        let afterFirst = index
        if UTF16.isLeadSurrogate(first), take("\\"), take("u") {
            let second = try hexadecimal()
            if UTF16.isTrailSurrogate(second) {
                return UTF16.decode(UTF16.EncodedScalar([first, second]))
            }
        }
        index = afterFirst
        return "\u{FFFD}"
    }

    private mutating func hexadecimal() throws(JSONError) -> UInt16 {
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard let digit = peek?.hexDigitValue else {
                throw error("four hexadecimal digits were expected")
            }
            unit = unit << 4 | UInt16(digit)
            index += 1
        }
        return unit
    }

    // MARK: Bytes

    private var peek: UInt8? {
        index < bytes.count ? bytes[index] : nil
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard peek == UInt8(ascii: character) else { return false }
        index += 1
        return true
    }

    private mutating func skipSpace() {
        while let byte = peek, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { index += 1 }
    }

    private func error(_ problem: String) -> JSONError {
        JSONError(problem: problem, offset: index)
    }
}
