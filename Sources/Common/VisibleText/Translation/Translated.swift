import CLinux
import Glibc

/// A message in the user's language; in English if there is no translation.
///
/// `packaging/build/messages` finds the calls, so the message is a literal. A comment that starts with `Translators:`
/// above the call goes into the catalogues.
///
/// ```swift
/// translated("The account \"{name}\" needs your attention.", ["name": name])
/// ```
///
/// - Parameter values: The texts that replace the names in braces. Placeholders without a value stay, and values are
///   not searched for placeholders. A text with letters of the other direction than the message is isolated from it.
package func translated(_ message: String, _ values: [String: String] = [:]) -> String {
    let text = Language.lookUp { message.withCString { String(cString: dcgettext(Language.domain, $0, LC_MESSAGES)) } }
    // The translation of an empty message is the header of the catalogue.
    return Template(message.isEmpty ? message : text ?? message).filled(with: values)
}

/// A message of ``translated(_:_:)`` in English.
package func untranslated(_ message: String, _ values: [String: String] = [:]) -> String {
    Template(message).filled(with: values)
}

/// A message that depends on a number, in the form of the user's language for the number.
///
/// ```swift
/// translated("{count} new notification", plural: "{count} new notifications", count: count)
/// ```
///
/// - Parameters:
///   - singular: The English message for 1.
///   - plural: The English message for other numbers.
///   - count: The number, which also replaces `{count}`, grouped as the user's locale says.
package func translated(
    _ singular: String,
    plural: String,
    count: Int,
    _ values: [String: String] = [:]
) -> String {
    let text = Language.lookUp {
        singular.withCString { singular in
            plural.withCString { plural in
                String(cString: dcngettext(Language.domain, singular, plural, count.magnitude, LC_MESSAGES))
            }
        }
    }
    let values = values.merging(["count": Language.grouped(count)]) { $1 }
    return Template(text ?? (count == 1 ? singular : plural)).filled(with: values)
}
