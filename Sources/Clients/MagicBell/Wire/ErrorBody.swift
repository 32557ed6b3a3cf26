import ClientKit

/// An error of the service (MagicBell's documentation, "Errors").
///
/// ```json
/// {"errors":[{"code":"…","message":"…","type":"…","suggestion":"…","help_link":"…"}]}
/// ```
///
/// Each member may be absent; an error may consist of its code. The errors of the user API are not documented: a bare
/// `message`, `error` or `detail` is accepted there, too.
struct ErrorBody: Equatable {
    /// The service's message, one for all errors together; nil: only codes.
    var message: String?
    /// The codes, at most ``Limits/codes``.
    var codes: [String]

    /// Nil: `body` is not an error of the service.
    init?(_ body: JSONValue, acceptsBare: Bool) {
        if let errors = body["errors"]?.array?.filter({ $0.object != nil }), !errors.isEmpty {
            let first = errors.prefix(Limits.codes)
            codes = first.compactMap { $0["code"]?.string.flatMap(Self.code) }
            message = Self.joined(first.compactMap(Self.sentence))
            // Another service's errors may be objects, too.
            guard message != nil || !codes.isEmpty else { return nil }
        } else if acceptsBare, let object = body.object {
            let error = object["error"]
            let texts = [object["message"], error?["message"], error, object["detail"]]
            guard let text = texts.lazy.compactMap({ $0?.string }).first(where: { !$0.isEmpty }) else { return nil }
            codes = [object["code"], error?["code"]].compactMap { $0?.string.flatMap(Self.code) }
            message = Self.joined([text])
        } else {
            return nil
        }
    }

    /// Whether other credentials are needed, whatever the status.
    var isAboutCredentials: Bool { !Self.credentialCodes.isDisjoint(with: codes) }

    private static let credentialCodes: Set = [
        "api_key_not_provided", "incorrect_api_key", "api_secret_not_provided", "api_secret_is_incorrect",
        "neither_user_hmac_nor_api_secret_provided", "user_email_not_provided", "user_identifier_not_provided",
    ]

    /// The message of one error, with the service's suggestion.
    private static func sentence(_ error: JSONValue) -> String? {
        let texts = [error["message"], error["suggestion"]].compactMap { $0?.string }.filter { !$0.isEmpty }
        return texts.isEmpty ? nil : texts.joined(separator: " – ")
    }

    // Limited by scalars: one character can be as long as the body.

    private static func code(_ text: String) -> String? {
        text.isEmpty ? nil : String(text.unicodeScalars.prefix(60))
    }

    private static func joined(_ texts: [String]) -> String? {
        texts.isEmpty ? nil : String(texts.joined(separator: "; ").unicodeScalars.prefix(300))
    }
}
