import SocketIO

/// What can be an address of a channel (suprsend.md §2.3; the messages are the service's).
enum ChannelAddress {
    /// Anything without blanks around an `@` with a dot behind it.
    static func email(_ text: String) throws(SuprSendError) -> String {
        let parts = text.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, !text.contains(where: \.isWhitespace),
            let dot = parts[1].dropFirst().dropLast().firstIndex(of: "."), dot < parts[1].endIndex
        else { throw .validation(.invalidArgument, "provided email is invalid") }
        return text
    }

    /// `+`, a digit that is not 0, and one to fourteen more (E.164).
    static func mobile(_ text: String) throws(SuprSendError) -> String {
        let digits = text.utf8.dropFirst()
        guard text.utf8.first == UInt8(ascii: "+"), (2...15).contains(digits.count),
            digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            digits.first != UInt8(ascii: "0")
        else {
            throw .validation(
                .invalidArgument,
                "provided mobile number is invalid, must be as per E.164 standard"
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
