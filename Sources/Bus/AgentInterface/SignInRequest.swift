package import DBus

/// The options of ``AgentRoot/signIn``.
package struct SignInOptions: Equatable, Sendable {
    /// The activation token for the browser.
    package var activationToken: String?
    /// Whether another user signs in than the browser knows.
    package var isOtherUser: Bool
    /// Whether the agent opens the browser.
    package var opensBrowser: Bool

    package init(activationToken: String? = nil, isOtherUser: Bool = false, opensBrowser: Bool = true) {
        self.activationToken = activationToken
        self.isOtherUser = isOtherUser
        self.opensBrowser = opensBrowser
    }

    /// Throws `InvalidArgs` for a key that does not exist, or whose value has another type.
    package init(_ dictionary: [String: Value]) throws(DBusError) {
        self.init()
        for (key, value) in dictionary.sorted(by: { $0.key < $1.key }) {
            switch (key, value) {
            case ("activation-token", .string(let token)): activationToken = token.isEmpty ? nil : token
            case ("other-user", .bool(let isOther)): isOtherUser = isOther
            case ("browser", .bool(let opens)): opensBrowser = opens
            default:
                throw DBusError(
                    .invalidArgs,
                    "The option \"\(key)\" is unknown, or of another type. "
                        + "Use activation-token (s), other-user (b), browser (b)."
                )
            }
        }
    }

    package var dictionary: [String: Value] {
        var dictionary: [String: Value] = [:]
        if let activationToken { dictionary["activation-token"] = .string(activationToken) }
        if isOtherUser { dictionary["other-user"] = .bool(true) }
        if !opensBrowser { dictionary["browser"] = .bool(false) }
        return dictionary
    }
}

/// A sign-in that is under way: the value of ``AgentAccount/signInRequest``.
package struct SignInRequest: Equatable, Sendable {
    package enum Step: String, Sendable {
        /// The browser is being opened.
        case browser
        /// The user signs in.
        case waiting
        /// The server and the company's backend are asked for tokens.
        case token
    }

    /// The address for a browser on this computer; empty: it is of no use any more.
    package var url: String
    /// When the sign-in ends if nobody signs in, in milliseconds since the Unix epoch.
    package var until: Int64
    package var step: Step

    package init(url: String, until: Int64, step: Step) {
        self.url = url
        self.until = until
        self.step = step
    }

    /// nil: no sign-in is under way.
    package init?(_ dictionary: [String: Value]) {
        guard case .string(let url)? = dictionary["url"], case .int64(let until)? = dictionary["until"],
            case .string(let name)? = dictionary["step"], let step = Step(rawValue: name)
        else { return nil }
        self.init(url: url, until: until, step: step)
    }

    package var dictionary: [String: Value] {
        ["url": .string(url), "until": .int64(until), "step": .string(step.rawValue)]
    }
}
