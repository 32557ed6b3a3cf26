import VisibleText

/// Who learns what in a sign-in with the browser.
package struct SignInHosts: Equatable, Sendable {
    /// Where the user signs in.
    package var server: String
    /// Who gives the token then.
    package var backend: String

    package var sentence: String {
        translated(
            "You sign in at {server}. {backend} learns who you are.",
            ["server": server.onOneLine, "backend": backend.onOneLine]
        )
    }
}
