/// Sanitizes external text before it is displayed: in popups, in a terminal, in a status bar, in a log.
///
/// Control characters, bidirectional controls and other invisible characters are removed: they control a terminal or
/// disguise a text. Joiners and variation selectors stay where scripts and emoji need them: after a character that they
/// can modify. The three marks that only act as a letter of a direction (Unicode Standard Annex 9, "Implicit
/// Directional Marks") stay, too: texts in Arabic and Hebrew need them beside numbers and punctuation.
package enum VisibleText {
    /// Decides for each scalar of a text whether it is shown.
    package struct Filter: Sendable {
        /// The last scalar that was shown, besides marks of the direction.
        private var last: Unicode.Scalar = " "
        private var isAfterMark = false

        /// A filter for the start of a text or after white space.
        package init() {}

        /// Whether the next scalar of the text is shown. Line ends and tabs count as control characters.
        package mutating func shows(_ scalar: Unicode.Scalar) -> Bool {
            if scalar.isDirectionalMark {
                // A second one has no effect.
                defer { isAfterMark = true }
                return !isAfterMark
            }
            guard isShown(scalar) else { return false }
            (last, isAfterMark) = (scalar, false)
            return true
        }

        private func isShown(_ scalar: Unicode.Scalar) -> Bool {
            // Of ASCII and Latin-1, only U+00AD is Default_Ignorable_Code_Point.
            if scalar.value < 0xA0 { return scalar.value >= 0x20 && scalar.value < 0x7F }
            let properties = scalar.properties
            if properties.isVariationSelector { return canVary(last) }
            switch scalar.value {
            case 0x200C, 0x200D: return !last.isASCII && !last.properties.isWhitespace && !isJoiner(last)
            case 0x180E: return true  // MONGOLIAN VOWEL SEPARATOR
            case 0x2028, 0x2029, 0xFFF9...0xFFFB: return false
            default: return !properties.isDefaultIgnorableCodePoint && !properties.isNoncharacterCodePoint
            }
        }

        /// A keycap is a digit, "#" or "*" with a variation selector.
        private func canVary(_ scalar: Unicode.Scalar) -> Bool {
            if scalar.isASCII { return ("0"..."9").contains(scalar) || scalar == "#" || scalar == "*" }
            return !scalar.properties.isWhitespace && !scalar.properties.isVariationSelector && !isJoiner(scalar)
        }

        private func isJoiner(_ scalar: Unicode.Scalar) -> Bool { scalar.value == 0x200C || scalar.value == 0x200D }
    }

    /// The text on one line: line ends and tabs become spaces.
    ///
    /// - Parameter keepsIsolates: Whether pairs of FIRST STRONG ISOLATE and POP DIRECTIONAL ISOLATE stay, for a message
    ///   with text of the other direction in it. They do not change the order of what surrounds them.
    package static func line(_ text: String, keepsIsolates: Bool = false) -> String {
        filtered(text, lineEnd: " ", keepsIsolates)
    }

    /// The text with its line ends: "\r\n", "\r" and the Unicode separators become "\n". Tabs become spaces.
    ///
    /// - Parameter keepsIsolates: As of ``line(_:keepsIsolates:)``.
    package static func lines(_ text: String, keepsIsolates: Bool = false) -> String {
        filtered(text, lineEnd: "\n", keepsIsolates)
    }

    private static func filtered(_ text: String, lineEnd: Unicode.Scalar, _ keepsIsolates: Bool) -> String {
        if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text }
        let keepsIsolates = keepsIsolates && text.hasPairedIsolates
        var shown = String.UnicodeScalarView()
        var filter = Filter()
        var isAfterReturn = false
        for scalar in text.unicodeScalars {
            defer { isAfterReturn = scalar == "\r" }
            switch scalar {
            case "\n" where isAfterReturn: continue
            case "\n", "\r", "\u{85}", "\u{2028}", "\u{2029}": shown.append(lineEnd)
            case "\t", "\u{0B}", "\u{0C}": shown.append(" ")
            case "\u{2068}" where keepsIsolates, "\u{2069}" where keepsIsolates: shown.append(scalar)
            default:
                if filter.shows(scalar) { shown.append(scalar) }
                continue
            }
            filter = Filter()
        }
        return String(shown)
    }
}

extension Unicode.Scalar {
    /// Whether the scalar is LEFT-TO-RIGHT MARK, RIGHT-TO-LEFT MARK or ARABIC LETTER MARK, which are invisible.
    package var isDirectionalMark: Bool { value == 0x200E || value == 0x200F || value == 0x61C }
}
