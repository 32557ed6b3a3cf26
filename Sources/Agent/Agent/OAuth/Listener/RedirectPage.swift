import Basics

/// The page that the browser shows after a sign-in. It contains nothing of the request, and loads nothing.
package struct RedirectPage: Hashable, Sendable {
    package var title: String
    package var text: String
    /// The language of both, as in HTML's `lang`.
    package var language: String

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
