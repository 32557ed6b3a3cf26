import VisibleText

extension BrowserSignIn.Pages {
    /// In the user's language.
    static func inUserLanguage(account: String) -> Self {
        let name = ["account": account]
        return Self(
            success: .inUserLanguage(
                translated("You are signed in"),
                translated("Go back to Feedbell: the notifications of {account} come there now.", name)
            ),
            unfinished: .inUserLanguage(
                translated("Almost done"),
                translated("Go back to Feedbell, which still waits for an answer.", name)
            ),
            failure: { error in
                .inUserLanguage(translated("You are not signed in"), error.message)
            }
        )
    }
}
