/// A key of a JSON object, whatever its name.
struct WireKey: CodingKey, ExpressibleByStringLiteral {
    var stringValue: String
    var intValue: Int? { nil }

    init(stringLiteral value: String) { stringValue = value }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}

/// Reading an optional field never fails: absent, null and of another type are all "not there".
extension KeyedDecodingContainer where Key == WireKey {
    func value<T: Decodable>(_ key: WireKey, as type: T.Type = T.self) -> T? {
        (try? decodeIfPresent(T.self, forKey: key)) ?? nil
    }

    /// An integer, also when it was written as a float without a fraction worth keeping (`1.754e12`).
    func integer(_ key: WireKey) -> Int64? {
        guard contains(key), (try? decodeNil(forKey: key)) == false else { return nil }
        if let integer = try? decode(Int64.self, forKey: key) { return integer }
        guard let number = try? decode(Double.self, forKey: key) else { return nil }
        return Int64(exactly: number.rounded())
    }

    /// A number of things: not negative, and bounded, so that what is counted on top of it cannot overflow.
    func count(_ key: WireKey) -> Int? { integer(key).map { Int(min(max(0, $0), Int64(Int32.max))) } }

    /// A moment that is only displayed.
    func milliseconds(_ key: WireKey) -> Milliseconds? { integer(key).map { Milliseconds($0).clamped } }

    /// A text that is cut behind this many bytes.
    func text(_ key: WireKey, _ limit: Int) -> String? { value(key, as: String.self)?.cut(to: limit) }

    /// A text that means nothing if it is cut: nil when it is longer.
    func whole(_ key: WireKey, _ limit: Int) -> String? { value(key, as: String.self)?.unlessLonger(than: limit) }

    /// A field without which the whole means nothing.
    func required<T>(_ key: WireKey, _ value: T?) throws -> T {
        guard let value else {
            throw DecodingError.keyNotFound(
                key,
                .init(codingPath: codingPath, debugDescription: "missing or of another type")
            )
        }
        return value
    }
}

/// An array that leaves out the elements which make no sense, instead of failing as a whole.
struct LossyArray<Element: Decodable>: Decodable {
    var elements: [Element] = []
    /// The beginnings of the ids of the first elements left out, for the log; "?" for one without.
    var dropped: [String] = []

    init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        while !container.isAtEnd {
            switch try container.decode(Attempt.self) {
            case .element(let element): elements.append(element)
            case .dropped(let id): if dropped.count < Limits.loggedIDs { dropped.append(id) }
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
                let id = (try? decoder.container(keyedBy: WireKey.self))?.value("n_id", as: String.self)
                self = .dropped(id: id?.cut(to: Limits.loggedID) ?? "?")
            }
        }
    }
}
