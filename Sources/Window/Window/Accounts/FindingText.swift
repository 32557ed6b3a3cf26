import AgentInterface
import VisibleText

/// The findings of a test in words for people, each with what they can press. The sentence of a finding names files,
/// keys and commands: it is for an administrator.
extension [Finding] {
    /// A row for each problem; without any, a row that says so.
    ///
    /// - Parameter account: Whose they are; nil: nobody's.
    func rows<ID>(of account: AccountState?, _ id: (Int) -> ID) -> [FormRow<ID>] {
        let problems = filter { $0.level != .ok }
        if problems.isEmpty { return [FormRow(id(0), title: translated("No Problems Found"), mark: .good)] }
        return problems.enumerated().map { index, finding in
            FormRow(
                id(index),
                title: finding.words(of: account).sentenceLine,
                text: translated("For your administrator: {reason}", ["reason": finding.sentence.sentenceLine]),
                mark: finding.level == .problem ? .problem : .warning
            )
        }
    }

    /// How many problems there are, as a message.
    var summary: String {
        let count = count { $0.level != .ok }
        return count == 0
            ? translated("No Problems Found")
            : translated("{count} problem found.", plural: "{count} problems found.", count: count)
    }
}

extension Finding {
    fileprivate func words(of account: AccountState?) -> String {
        switch (topic, level) {
        case (.token, _) where account?.canSignIn == false, (.credentials, _) where account?.canSignIn == false:
            translated("The service may not accept the token. Ask your administrator for another one.")
        case (.token, .warning): translated("The token works, but soon it may not. Then press Sign In Again.")
        case (.token, _), (.credentials, _): account?.mustSignIn == true ? Self.signIn : Self.signInAgain
        case (.network, .warning): translated("The service is busy. Wait a minute, then press Find Problems again.")
        case (.network, _):
            translated("Cannot reach the service. Check that this computer is online, then press Find Problems again.")
        case (.clock, _):
            translated("The clock of this computer is wrong. Switch on its automatic time in the system's settings.")
        case (.configuration, .warning): translated("Some of what was set for Feedbell has no effect.")
        case (.configuration, _) where account != nil:
            translated("A value of the account is wrong. Change it, or ask your administrator.")
        case (.configuration, _): translated("There is a mistake in Feedbell's files. Ask your administrator.")
        case (.notifications, _): translated("Popups do not show all that they could.")
        case (.agent, _): RequestFailure.noReply
        case (.bus, _), (.popup, _), (.links, _), (.account, _): sentence
        }
    }

    private static var signIn: String {
        translated("There is no token that the service accepts. Press Sign In above, and enter one.")
    }

    private static var signInAgain: String {
        translated("The service may not accept the token. Press Sign In Again, and enter another one.")
    }
}
