extension String {
    /// Whether the first letter or mark of the direction is from right to left, as in Arabic and Hebrew; nil: there is
    /// none.
    package var isRightToLeft: Bool? {
        unicodeScalars.first { $0.properties.isAlphabetic || ["\u{200E}", "\u{200F}"].contains($0) }?.isRightToLeft
    }
}

extension Unicode.Scalar {
    /// The blocks in which the Unicode Standard assigns the bidirectional classes R and AL.
    fileprivate var isRightToLeft: Bool {
        switch value {
        case 0x200F, 0x590...0x8FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFF, 0x10800...0x10FFF, 0x1E800...0x1EFFF: true
        default: false
        }
    }
}
