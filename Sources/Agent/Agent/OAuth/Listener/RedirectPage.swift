import Basics
import VisibleText

/// A page that the browser shows for a sign-in. It contains nothing of the request, and loads nothing.
package struct RedirectPage: Hashable, Sendable {
    package var title: String
    package var text: String
    /// The language of both, as in HTML's `lang`.
    package var language: String

    /// The answer to a start address that was used before.
    static var used: Self {
        inUserLanguage(
            translated("This address was used already"),
            translated("Go on in the page that it opened, or start the sign-in again in Feedbell.")
        )
    }

    /// A page whose texts are in the user's language.
    static func inUserLanguage(_ title: String, _ text: String) -> Self {
        // Translators: The code of your language, as in the attribute "lang" of HTML.
        RedirectPage(title: title, text: text, language: translated("en"))
    }

    package var html: String {
        let (title, text) = (title.escapedForXML, text.escapedForXML)
        return """
            <!DOCTYPE html>
            <html lang="\(language.escapedForXMLAttribute)">
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width">
            <meta name="color-scheme" content="light dark">
            <title>\(title)</title>
            <h1>\(title)</h1>
            <p>\(text)</p>
            </html>

            """
    }

    /// Nothing is loaded, kept, or sent on.
    static let headers = [
        ("Content-Type", "text/html; charset=utf-8"), ("Content-Security-Policy", "default-src 'none'"),
        ("Cache-Control", "no-store"), ("Referrer-Policy", "no-referrer"), ("X-Content-Type-Options", "nosniff"),
    ]
}
