import ClientKit

typealias ArgumentCheck = ArgumentChecks<MagicBellError>

extension ArgumentCheck {
    /// Throws `invalidArgument` with `name` when a header cannot contain the value: it is empty, too long, has a
    /// control character, or begins or ends with a blank (RFC 9110 §5.5).
    static func checkHeader(_ value: String, named name: String) throws(MagicBellError) {
        try check(value, named: name)
        guard value.utf8.count <= 4_096 else { throw invalid("The \(name) is too long.") }
        guard value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }), value.first != " ", value.last != " " else {
            throw invalid(
                "The \(name) contains a line break, another control character, or a blank at its beginning or end."
            )
        }
    }

    /// Throws `invalidArgument` when the text cannot be one segment of a path: it is empty or too long, or a URL would
    /// lose it ("." and "..", RFC 3986 §5.2.4).
    static func checkID(_ id: String, named name: String = "notification's id") throws(MagicBellError) {
        try check(id, named: name)
        guard Limits.isID(id) else { throw invalid("The \(name) is not valid.") }
    }

    static func checkPageSize(_ size: Int) throws(MagicBellError) {
        guard 1...Limits.page ~= size else { throw invalid("The page size \(size) is outside 1 to \(Limits.page).") }
    }
}
