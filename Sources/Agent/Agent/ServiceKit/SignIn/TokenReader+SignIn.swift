import Inbox

extension TokenReader {
    /// The token that the company's backend gives to the signed-in user.
    func token(of backend: TokenBackend) async throws(Failure) -> String {
        guard let signIn else {
            throw Failure(sentence: "Only the running agent asks \(backend.host) for the token.")
        }
        do throws(SignInSession.Failure) {
            return try await signIn.backendToken(backend.kind, from: backend.url).text
        } catch {
            throw Failure(error, of: backend, user: user)
        }
    }
}

extension TokenReader.Failure {
    /// - Parameter user: Of the account; empty: unknown.
    init(_ failure: SignInSession.Failure, of backend: TokenBackend, user: String) {
        let command = TokenBackend.command(account: backend.account)
        switch failure {
        case .notSignedIn:
            self.init(sentence: failure.message, remedy: "Sign in: \(command)")
            isMissing = true
        case .otherClient:
            self.init(
                sentence: failure.message,
                remedy: "Correct [\(backend.account.accountTable).sign_in], or sign in again: \(command)"
            )
            isMissing = true
        case .ended(let error):
            self.init(sentence: error.message, remedy: "Sign in again: \(command)")
            missing = .signInEnded
        case .forbidden:
            let user = user.isEmpty ? "you" : user
            self.init(
                sentence: "\(backend.host) does not give \(user) access to this inbox.",
                remedy: "Ask your administrator."
            )
        case .other(let error):
            self.init(sentence: error.message)
            isTransient = error.isOutage
            retryAfter = error.retryAfter
        }
    }
}
