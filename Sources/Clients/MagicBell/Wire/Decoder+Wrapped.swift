import ClientKit

extension Decoder {
    /// A value that one API wraps in an object with one key, and the other does not.
    func wrapped<Value: Decodable>(in name: String) throws -> Value {
        let key = WireKey(stringValue: name)
        let container = try container(keyedBy: WireKey.self)
        return container.contains(key) ? try container.decode(Value.self, forKey: key) : try Value(from: self)
    }
}
