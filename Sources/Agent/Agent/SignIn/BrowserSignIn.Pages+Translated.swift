import VisibleText

extension BrowserSignIn.Pages {
    /// In the user's language.
    static func inUserLanguage(account: String) -> Self {
        let name = ["account": account]
        return Self(
            success: page(
                translated("You are signed in"),
                translated("Go back to Feedbell: the notifications of {account} come there now.", name)
            ),
            unfinished: page(
                translated("Almost done"),
                translated("Go back to Feedbell, which still waits for an answer.", name)
            ),
            failure: { error in
                page(translated("You are not signed in"), error.message)
            }
        )
    }

    private static func page(_ title: String, _ text: String) -> RedirectPage {
        // Translators: The code of your language, as in the attribute "lang" of HTML.
        RedirectPage(title: title, text: text, language: translated("en"))
    }
}
