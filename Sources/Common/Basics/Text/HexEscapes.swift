extension String {
    /// This text with each byte that is not kept as `mark` and two hexadecimal digits.
    ///
    /// - Parameter isKept: Gets the byte and its position.
    package func hexEscaped(
        _ mark: Unicode.Scalar,
        isUppercase: Bool = false,
        keeping isKept: (_ byte: UInt8, _ position: Int) -> Bool
    ) -> String {
        let digits = Array((isUppercase ? "0123456789ABCDEF" : "0123456789abcdef").utf8)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(utf8.count)
        for (position, byte) in utf8.enumerated() {
            if isKept(byte, position) {
                bytes.append(byte)
            } else {
                bytes += [UInt8(ascii: mark), digits[Int(byte >> 4)], digits[Int(byte & 0xF)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension StringProtocol {
    /// This text with each `mark` and the two hexadecimal digits after it as one byte; nil: digits are missing, or the
    /// result is not UTF-8.
    package func hexUnescaped(_ mark: Unicode.Scalar) -> String? {
        var bytes: [UInt8] = []
        var rest = Array(utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: mark) else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst()?.hexDigitValue, let low = rest.popFirst()?.hexDigitValue else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}

extension UInt8 {
    /// The value of this ASCII character as a hexadecimal digit; nil: it is none.
    package var hexDigitValue: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
