import ClientKit
import FoundationEssentials
import SuprSend

/// A user token; and the same bytes as the claims inside of one.
func checkToken(_ input: [UInt8]) throws(Fault) {
    _ = try read(String(decoding: input, as: UTF8.self))
    let base64 = Data(input).base64EncodedString()
    let claims = String(base64.filter { $0 != "=" }.map { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 })
    let token = try read("eyJhbGciOiJFUzI1NiJ9.\(claims).c2ln")
    if let claims = try? JSONValue(parsing: String(decoding: input, as: UTF8.self)), claims.object == nil {
        try demand(token == nil, "claims that are no object became a token")
    }
}

private func read(_ text: String) throws(Fault) -> UserToken? {
    // Shorter than that it may be part of a sentence by chance.
    let isLong = text.utf8.count >= 24
    let token: UserToken
    do { token = try UserToken(text) } catch {
        try demand(error.kind == .invalidArgument, "the kind \(error.kind)")
        try demand(!(isLong && error.message.contains(text)), "the error contains the token")
        return nil
    }
    try demand(token.rawValue == text, "the token was altered")
    try demand(text.split(separator: ".", omittingEmptySubsequences: false).count == 3, "a token without three parts")
    let isTold = "\(token)".contains(text) || String(reflecting: token).contains(text)
    try demand(!(isLong && isTold), "the description contains the token")
    return token
}
