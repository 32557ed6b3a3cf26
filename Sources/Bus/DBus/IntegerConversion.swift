extension Value {
    /// The same integer, or the same integers, in the type of `signature`; this value if it is none or does not fit.
    /// Languages whose integers have no width send them in a type of their own choice.
    public func converted(to signature: Signature) -> Value {
        if case .array(_, let elements) = self, signature.text.hasPrefix("a") {
            let element = Signature(trusted: String(signature.text.dropFirst()))
            let converted = elements.map { $0.converted(to: element) }
            return converted.allSatisfy { $0.signature == element } ? .array(of: element, converted) : self
        }
        return integer.flatMap { Value($0, as: signature) } ?? self
    }

    private var integer: Int128? {
        switch self {
        case .byte(let number): Int128(number)
        case .int16(let number): Int128(number)
        case .uint16(let number): Int128(number)
        case .int32(let number): Int128(number)
        case .uint32(let number): Int128(number)
        case .int64(let number): Int128(number)
        case .uint64(let number): Int128(number)
        default: nil
        }
    }

    private init?(_ integer: Int128, as signature: Signature) {
        let value: Value? =
            switch signature.text {
            case "y": UInt8(exactly: integer).map(Value.byte)
            case "n": Int16(exactly: integer).map(Value.int16)
            case "q": UInt16(exactly: integer).map(Value.uint16)
            case "i": Int32(exactly: integer).map(Value.int32)
            case "u": UInt32(exactly: integer).map(Value.uint32)
            case "x": Int64(exactly: integer).map(Value.int64)
            case "t": UInt64(exactly: integer).map(Value.uint64)
            default: nil
            }
        guard let value else { return nil }
        self = value
    }
}
