package import Basics

/// A key of a JSON object with any name.
package struct WireKey: CodingKey, ExpressibleByStringLiteral {
    package var stringValue: String
    package var intValue: Int? { nil }

    package init(stringLiteral value: String) { stringValue = value }
    package init(stringValue: String) { self.stringValue = stringValue }
    package init?(intValue: Int) { nil }
}

/// Reads optional fields without errors: absent, null and a value of another type all give nil.
extension KeyedDecodingContainer where Key == WireKey {
    package func value<T: Decodable>(_ key: WireKey, as type: T.Type = T.self) -> T? {
        (try? decodeIfPresent(T.self, forKey: key)) ?? nil
    }

    /// An integer, also when written as a float, which is rounded (`1.754e12`).
    package func integer(_ key: WireKey) -> Int64? {
        guard contains(key), (try? decodeNil(forKey: key)) == false else { return nil }
        if let integer = try? decode(Int64.self, forKey: key) { return integer }
        guard let number = try? decode(Double.self, forKey: key) else { return nil }
        return Int64(exactly: number.rounded())
    }

    /// A count: not negative, and limited to Int32, so that additions cannot overflow.
    package func count(_ key: WireKey) -> Int? { integer(key).map { Int(min(max(0, $0), Int64(Int32.max))) } }

    /// A time that is only displayed.
    package func timestamp(_ key: WireKey) -> Timestamp? { integer(key).map { Timestamp(milliseconds: $0).clamped } }

    /// A text, cut to this many bytes.
    package func text(_ key: WireKey, _ limit: Int) -> String? { value(key, as: String.self)?.cut(to: limit) }

    /// A text that is useless when cut: nil when it is longer.
    package func whole(_ key: WireKey, _ limit: Int) -> String? {
        value(key, as: String.self)?.unlessLonger(than: limit)
    }

    /// The valid elements of an array.
    ///
    /// - Parameter limit: Further ones are left out.
    package func elements<T: Decodable>(
        _ key: WireKey,
        of type: T.Type = T.self,
        upTo limit: Int = .max
    ) -> [T]? {
        value(key, as: LossyArray<T>.self).map { Array($0.elements.prefix(limit)) }
    }

    /// A required field.
    package func required<T>(_ key: WireKey, _ value: T?) throws -> T {
        guard let value else {
            throw DecodingError.keyNotFound(
                key,
                .init(codingPath: codingPath, debugDescription: "missing or of another type")
            )
        }
        return value
    }
}

/// An element of an array whose id is logged when it is invalid.
package protocol IdentifiedOnWire {
    /// The key of its id.
    static var idKey: WireKey { get }
}

/// An array without its invalid elements, instead of an error.
package struct LossyArray<Element: Decodable>: Decodable {
    package var elements: [Element] = []
    /// The beginnings of the ids of the first invalid elements, for the log; "?" without an id.
    package var dropped: [String] = []

    /// The length in the log of an id that is too long, in characters.
    private static var loggedID: Int { 32 }
    /// The number of ids in one log message.
    private static var loggedIDs: Int { 10 }
    private static var idKey: WireKey { (Element.self as? any IdentifiedOnWire.Type)?.idKey ?? "id" }

    package init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        while !container.isAtEnd {
            switch try container.decode(Attempt.self) {
            case .element(let element): elements.append(element)
            case .dropped(let id): if dropped.count < LossyArray.loggedIDs { dropped.append(id) }
            }
        }
    }

    private enum Attempt: Decodable {
        case element(Element)
        case dropped(id: String)

        init(from decoder: any Decoder) throws {
            do {
                self = .element(try Element(from: decoder))
            } catch {
                let id = (try? decoder.container(keyedBy: WireKey.self))?.value(LossyArray.idKey, as: String.self)
                self = .dropped(id: id?.cut(to: LossyArray.loggedID) ?? "?")
            }
        }
    }
}
