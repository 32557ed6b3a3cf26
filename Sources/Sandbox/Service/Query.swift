/// The query of a request, read strictly: every parameter must be asked for, once, and the rest is an error.
struct Query {
    private var values: [String: String] = [:]

    /// A raw "+" is a space, as browsers write it in forms and in `URLSearchParams`.
    ///
    /// - Throws: ``Refusal`` for a malformed escape or a repeated name.
    init(_ raw: String?) throws(Refusal) {
        guard let raw, !raw.isEmpty else { return }
        for pair in raw.split(separator: "&", omittingEmptySubsequences: false) {
            // Old clients leave a stray "&" behind the "?" (suprsend.md §1.2).
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

    /// The decoded text of a parameter, which stays.
    func peek(_ name: String) -> String? { values[name] }

    /// Takes a parameter out; nil when it is absent.
    mutating func take(_ name: String) -> String? { values.removeValue(forKey: name) }

    /// Takes a parameter that must be there.
    mutating func require(_ name: String) throws(Refusal) -> String {
        guard let value = take(name) else {
            throw Refusal(.query, "The query parameter '\(name)' is missing.")
        }
        guard !value.isEmpty else { throw Refusal(.query, "The query parameter '\(name)' is empty.") }
        return value
    }

    /// Takes an integer out and checks its range.
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

    /// Takes `true` or `false` out.
    mutating func takeBool(_ name: String) throws(Refusal) -> Bool? {
        guard let text = take(name) else { return nil }
        guard let value = Bool(text) else { throw Refusal(.query, "'\(name)' must be true or false, not '\(text)'.") }
        return value
    }

    /// Takes a JSON text out.
    mutating func takeJSON(_ name: String) throws(Refusal) -> JSON? {
        guard let text = take(name) else { return nil }
        guard let value = JSON(parsing: text) else { throw Refusal(.query, "'\(name)' is not JSON: \(text)") }
        return value
    }

    /// Nothing may be left.
    func finish() throws(Refusal) {
        if let name = values.keys.min() { throw Refusal(.query, "The query parameter '\(name)' is not known here.") }
    }
}

/// Why a request is not served: what to answer, and whether a correct client could have caused it.
struct Refusal: Error {
    var response: ServiceResponse
    /// nil when the request is in order and merely not granted, such as an expired token.
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
