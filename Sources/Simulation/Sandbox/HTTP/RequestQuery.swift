/// The query of a request, read strictly: unknown and repeated parameters are errors.
struct RequestQuery {
    private var values: [String: String] = [:]

    /// Parses a query. A raw "+" is a space (WHATWG URL, "application/x-www-form-urlencoded").
    ///
    /// - Throws: ``Refusal`` for a malformed escape or a repeated name.
    init(_ raw: String?) throws(Refusal) {
        guard let raw, !raw.isEmpty else { return }
        for pair in raw.split(separator: "&", omittingEmptySubsequences: false) {
            // Old clients send a stray "&" after the "?".
            if pair.isEmpty { continue }
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, let name = Percent.decodeForm(String(parts[0])),
                let value = Percent.decodeForm(String(parts[1]))
            else { throw Refusal(.query, "The query part '\(pair)' is not name=value with percent escapes.") }
            guard values.updateValue(value, forKey: name) == nil else {
                throw Refusal(.query, "The query parameter '\(name)' is given twice.")
            }
        }
    }

    /// The decoded text of a parameter, without removing it.
    func peek(_ name: String) -> String? { values[name] }

    /// Removes and returns a parameter; nil when it is absent.
    mutating func take(_ name: String) -> String? { values.removeValue(forKey: name) }

    /// Removes and returns a required parameter.
    mutating func require(_ name: String) throws(Refusal) -> String {
        guard let value = take(name) else {
            throw Refusal(.query, "The query parameter '\(name)' is missing.")
        }
        guard !value.isEmpty else { throw Refusal(.query, "The query parameter '\(name)' is empty.") }
        return value
    }

    /// Removes and returns an integer after checking its range.
    mutating func takeInteger(_ name: String, in range: ClosedRange<Int>) throws(Refusal) -> Int? {
        guard let text = take(name) else { return nil }
        guard let value = Int(text), range.contains(value) else {
            throw Refusal(
                .query,
                "'\(name)' must be an integer from \(range.lowerBound) to \(range.upperBound), not '\(text)'."
            )
        }
        return value
    }

    /// Removes and returns `true` or `false`.
    mutating func takeBool(_ name: String) throws(Refusal) -> Bool? {
        guard let text = take(name) else { return nil }
        guard let value = Bool(text) else { throw Refusal(.query, "'\(name)' must be true or false, not '\(text)'.") }
        return value
    }

    /// Removes and returns a JSON value.
    mutating func takeJSON(_ name: String) throws(Refusal) -> JSON? {
        guard let text = take(name) else { return nil }
        guard let value = JSON(parsing: text) else { throw Refusal(.query, "'\(name)' is not JSON: \(text)") }
        return value
    }

    /// Rejects parameters that were not read.
    func finish() throws(Refusal) {
        if let name = values.keys.min() { throw Refusal(.query, "The query parameter '\(name)' is unknown.") }
    }
}

/// The reason why a request is refused: the answer, and whether the client violated a rule.
struct Refusal: Error {
    var response: ServiceResponse
    /// nil when the request is valid and refused for another reason, such as an expired token.
    var violation: Violation.Kind?
    var message: String

    init(_ violation: Violation.Kind?, status: Int = 400, type: String = "VALIDATION_ERROR", _ message: String) {
        self.init(violation, .error(status, type, message), message)
    }

    init(_ violation: Violation.Kind?, _ response: ServiceResponse, _ message: String) {
        self.response = response
        self.violation = violation
        self.message = message
    }
}
