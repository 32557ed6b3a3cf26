import Basics
import Glibc

/// The character set of the user's locale, for output.
package struct CharacterSet: Equatable, Sendable {
    /// The name for iconv(3); nil: UTF-8, which needs no conversion.
    private let name: String?

    /// - Parameter name: The result of nl_langinfo(3) for `CODESET`.
    package init(_ name: String) {
        self.name = Self.isUTF8(name) ? nil : name
    }

    /// The character set of LC_ALL, LC_CTYPE or LANG. Also UTF-8 for a locale that is not installed, if its name
    /// contains it. Read it before other threads start: setlocale(3) is not thread-safe.
    package static let current: CharacterSet = {
        if setlocale(LC_CTYPE, "") == nil {
            let names = ["LC_ALL", "LC_CTYPE", "LANG"].map { (name: String) -> String in
                getenv(name).map { String(cString: $0) } ?? ""
            }
            let codeset = names.first { !$0.isEmpty }?.split(separator: ".").dropFirst().first?.prefix { $0 != "@" }
            if let codeset, isUTF8(String(codeset)) { return CharacterSet("UTF-8") }
        }
        return CharacterSet(nl_langinfo(nl_item(CODESET)).map { String(cString: $0) } ?? "")
    }()

    private static func isUTF8(_ name: String) -> Bool { ["utf-8", "utf8"].contains(name.lowercased()) }

    /// Converts text to bytes. A character that the set does not contain is replaced by a similar one or by "?", with
    /// the same width on a terminal. So is one that has the byte of a control character in a set of single bytes, such
    /// as KOI8-R and Windows-1251: terminals execute 0x80 to 0x9F (ECMA-48, "C1").
    package func bytes(_ text: String) -> [UInt8] {
        guard let name, !text.utf8.allSatisfy({ $0 < 0x80 }) else { return Array(text.utf8) }
        let converter = Converter(from: "UTF-8", to: name)
        var bytes: [UInt8] = []
        for character in text {
            if let converted = converter.printable(character.unicodeScalars) {
                bytes += converted
                continue
            }
            // Without combining characters.
            let base = character.unicodeScalars.prefix(1)
            if character.columns == 1, let converted = converter.printable(base) ?? Self.similar[base.first ?? " "] {
                bytes += converted
            } else {
                bytes += Array(repeating: UInt8(ascii: "?"), count: character.columns)
            }
        }
        return bytes
    }

    /// Converts JSON to bytes. Unless the character set is UTF-8, characters outside ASCII are escaped (RFC 8259 §7).
    package func bytes(json: String) -> [UInt8] {
        guard name != nil else { return Array(json.utf8) }
        var bytes: [UInt8] = []
        for scalar in json.unicodeScalars {
            if scalar.isASCII { bytes.append(UInt8(scalar.value)) } else { bytes += scalar.unicodeEscape.utf8 }
        }
        return bytes
    }

    /// Converts bytes in this character set to text. Invalid ones are read as UTF-8.
    package func text(_ bytes: [UInt8]) -> String {
        guard let name, !bytes.allSatisfy({ $0 < 0x80 }) else { return String(decoding: bytes, as: UTF8.self) }
        return String(decoding: Converter(from: name, to: "UTF-8").convert(bytes) ?? bytes, as: UTF8.self)
    }

    /// Replacements of the same width, one column.
    private static let similar: [Unicode.Scalar: [UInt8]] = Dictionary(
        uniqueKeysWithValues: [
            ("“”„‟«»″", "\""), ("‘’‚‛‹›′", "'"), ("‐‑‒–—―−", "-"), ("…", "."), ("•●·", "*"), ("→", ">"), ("✓", "+"),
            ("✗×", "x"), ("\u{A0}\u{2007}\u{2009}\u{202F}", " "),
        ].flatMap { characters, similar in characters.unicodeScalars.map { ($0, Array(similar.utf8)) } }
    )
}

/// A wrapper of iconv(3).
private final class Converter {
    private let descriptor: iconv_t?

    init(from source: String, to target: String) {
        let descriptor = iconv_open(target, source)
        self.descriptor = descriptor == iconv_t(bitPattern: -1) ? nil : descriptor
    }

    deinit { if let descriptor { iconv_close(descriptor) } }

    /// nil: the target does not contain the characters, or the text is invalid.
    func convert(_ scalars: some Sequence<Unicode.Scalar>) -> [UInt8]? {
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars)
        return convert(Array(String(text).utf8))
    }

    /// As ``convert(_:)``; nil also if a byte is the code of a control character.
    func printable(_ scalars: some Collection<Unicode.Scalar>) -> [UInt8]? {
        guard let bytes = convert(scalars) else { return nil }
        // In a set of several bytes for a character, each of them may be such a byte, and none is a control character.
        let isOfSingleBytes = bytes.count <= scalars.count
        return isOfSingleBytes && bytes.contains(where: { (0x80...0x9F).contains($0) }) ? nil : bytes
    }

    /// As the other one, from bytes of the source.
    func convert(_ bytes: [UInt8]) -> [UInt8]? {
        guard let descriptor else { return nil }
        var input = bytes.map { CChar(bitPattern: $0) }
        var output = [CChar](repeating: 0, count: 4 * input.count + 16)
        let room = output.count
        let left: (converted: Int, room: Int) = input.withUnsafeMutableBufferPointer { input in
            output.withUnsafeMutableBufferPointer { output in
                var (from, to) = (input.baseAddress, output.baseAddress)
                var (fromLeft, toLeft) = (input.count, output.count)
                return (iconv(descriptor, &from, &fromLeft, &to, &toLeft), toLeft)
            }
        }
        // A result above 0 is the number of replaced characters.
        guard left.converted == 0 else {
            _ = iconv(descriptor, nil, nil, nil, nil)
            return nil
        }
        return output.prefix(room - left.room).map { UInt8(bitPattern: $0) }
    }
}
