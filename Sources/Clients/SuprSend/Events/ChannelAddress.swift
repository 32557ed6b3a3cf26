import ClientKit

/// Checks of channel addresses, with the rules of the service's own clients.
enum ChannelAddress {
    /// Text without blanks around an `@`, with a dot after it.
    static func email(_ text: String) throws(SuprSendError) -> String {
        let parts = text.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, !text.contains(where: \.isWhitespace),
            let dot = parts[1].dropFirst().dropLast().firstIndex(of: "."), dot < parts[1].endIndex
        else {
            throw .validation(
                .invalidArgument,
                "\"\(text.cut(to: 100))\" is not an email address, such as \"anna@example.com\"."
            )
        }
        return text
    }

    /// `+`, a digit other than 0, and one to fourteen more (E.164).
    static func mobile(_ text: String) throws(SuprSendError) -> String {
        let digits = text.utf8.dropFirst()
        guard text.utf8.first == UInt8(ascii: "+"), (2...15).contains(digits.count),
            digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            digits.first != UInt8(ascii: "0")
        else {
            throw .validation(
                .invalidArgument,
                "\"\(text.cut(to: 100))\" is not a mobile number in E.164 form, such as \"+4915112345678\": "
                    + "a plus, the country code and the number, digits only."
            )
        }
        return text
    }

    static func destination(_ object: [String: JSONValue], named name: String) throws(SuprSendError) -> [String:
        JSONValue]
    {
        if object.isEmpty { throw SuprSendError(.invalidArgument, "The \(name) destination is empty.") }
        return object
    }
}
