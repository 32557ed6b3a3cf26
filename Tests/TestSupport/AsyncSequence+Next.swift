package import Testing

extension AsyncSequence where Self: Sendable, Failure == Never {
    /// The next element, for tests that wait for one fact after the other. `nil` when the stream has ended.
    package func next(sourceLocation: SourceLocation = #_sourceLocation) async -> Element? {
        await pick(sourceLocation: sourceLocation) { $0 }
    }

    /// The next element that fits. `nil` when the stream has ended.
    package func next<Unfit: Error>(
        _ what: String = "the next \(Element.self)",
        sourceLocation: SourceLocation = #_sourceLocation,
        where fits: (Element) throws(Unfit) -> Bool
    ) async throws(Unfit) -> Element? {
        try await pick(what, sourceLocation: sourceLocation) { element throws(Unfit) in
            try fits(element) ? element : nil
        }
    }

    /// The first that `value` returns for an element. `nil` when the stream has ended.
    package func pick<Value, Unfit: Error>(
        _ what: String = "the next \(Element.self)",
        sourceLocation: SourceLocation = #_sourceLocation,
        _ value: (Element) throws(Unfit) -> Value?
    ) async throws(Unfit) -> Value? {
        let seen = SeenValues()
        return try await waiting(for: what, seen: { seen.description }, sourceLocation: sourceLocation) {
            () async throws(Unfit) in
            for await element in self {
                if let value = try value(element) { return value }
                seen.note("\(element)")
            }
            return nil
        }
    }
}
