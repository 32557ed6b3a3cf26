package import DBus

/// The options of ``AgentRoot/signIn``.
package struct SignInOptions: Equatable, Sendable {
    /// The activation token for the browser.
    package var activationToken: String?
    /// Whether another user signs in than the browser knows.
    package var isOtherUser: Bool
    /// Whether the agent opens the browser.
    package var opensBrowser: Bool
    /// Whether the user enters a code in a browser of any device.
    package var isDevice: Bool

    package init(
        activationToken: String? = nil,
        isOtherUser: Bool = false,
        opensBrowser: Bool = true,
        isDevice: Bool = false
    ) {
        self.activationToken = activationToken
        self.isOtherUser = isOtherUser
        self.opensBrowser = opensBrowser
        self.isDevice = isDevice
    }

    /// Throws `InvalidArgs` for a key that does not exist, or whose value has another type.
    package init(_ dictionary: [String: Value]) throws(DBusError) {
        self.init()
        for (key, value) in dictionary.sorted(by: { $0.key < $1.key }) {
            switch (key, value) {
            case ("activation-token", .string(let token)): activationToken = token.isEmpty ? nil : token
            case ("other-user", .bool(let isOther)): isOtherUser = isOther
            case ("browser", .bool(let opens)): opensBrowser = opens
            case ("device", .bool(let isDevice)): self.isDevice = isDevice
            default:
                throw DBusError(
                    .invalidArgs,
                    "The option \"\(key)\" is unknown, or of another type. "
                        + "Use activation-token (s), other-user (b), browser (b), device (b)."
                )
            }
        }
    }

    package var dictionary: [String: Value] {
        var dictionary: [String: Value] = [:]
        if let activationToken { dictionary["activation-token"] = .string(activationToken) }
        if isOtherUser { dictionary["other-user"] = .bool(true) }
        if !opensBrowser { dictionary["browser"] = .bool(false) }
        if isDevice { dictionary["device"] = .bool(true) }
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
        /// The user enters the code in a browser of any device.
        case device
        /// The server and the company's backend are asked for tokens.
        case token
    }

    /// The address for a browser, on this computer unless there is a ``code``; empty: it is of no use any more.
    package var url: String
    /// When the sign-in ends if nobody signs in, in milliseconds since the Unix epoch.
    package var until: Int64
    package var step: Step
    /// What the user enters there; empty, but for ``Step/device``.
    package var code: String

    package init(url: String, until: Int64, step: Step, code: String = "") {
        self.url = url
        self.until = until
        self.step = step
        self.code = code
    }

    /// nil: no sign-in is under way.
    package init?(_ dictionary: [String: Value]) {
        guard case .string(let url)? = dictionary["url"], case .int64(let until)? = dictionary["until"],
            case .string(let name)? = dictionary["step"], let step = Step(rawValue: name)
        else { return nil }
        self.init(url: url, until: until, step: step)
        if case .string(let code)? = dictionary["code"] { self.code = code }
    }

    package var dictionary: [String: Value] {
        var dictionary: [String: Value] = [
            "url": .string(url), "until": .int64(until), "step": .string(step.rawValue),
        ]
        if !code.isEmpty { dictionary["code"] = .string(code) }
        return dictionary
    }
}
